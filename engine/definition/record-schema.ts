import type { JsonSchema } from '../fields/field-type.ts'
import {
  expression,
  FIELD_NAME,
  fieldNames,
  flag,
  list,
  mapOf,
  object,
  SLUG,
  text,
} from './schema-parts.ts'

/** What a role may be given; `action` is every declared action, `all` is everything. */
export const RIGHT =
  '^(?:all|read|create|update|delete|submit|cancel|amend|action|report|export|action:[a-z][a-z0-9_]*)$'

const RIGHTS = list(
  'What the role may: all, or read create update delete submit cancel amend action action:<name> report export.',
  { type: 'string', pattern: RIGHT },
)

/** `permissions:` of a DocType. */
export const PERMISSIONS: JsonSchema = {
  type: 'object',
  description: 'Role → what it may; rows → the records it is limited to.',
  properties: {
    rows: mapOf(
      'Role → expression its records meet; {read: …, write: …} where reading and changing differ.',
      {
        ...object('Conditions apart for reading and for everything else.', {
          read: expression('Which records the role may read; all without it.'),
          write: expression('Which of them it may change; all without it.'),
        }),
        type: ['string', 'object'],
        minLength: 1,
        maxLength: 2000,
      },
    ),
    follows: text(
      'Link or dynamic link to the record that this one belongs to: who may not read that one does not see this one, and it is deleted with it.',
      { pattern: FIELD_NAME },
    ),
  },
  additionalProperties: RIGHTS,
}

/** `ledger:` of a DocType. */
export const LEDGER = object(
  'Rows are only ever added: by submits and actions, and by the mirror rows of a cancel.',
  {
    balance: fieldNames('Debit and credit: equal in every posting; a mirror row swaps them.'),
    swap: fieldNames(
      'Further pairs that a mirror row swaps: [a, b, c, d] swaps a with b, c with d.',
    ),
    negate: fieldNames('Fields a mirror row has with the opposite sign.'),
    copy: fieldNames("Fields taken from the document's field of the same name unless set."),
    date: text('Field of the posting date; posting_date without it.'),
    reverse_date: {
      enum: ['today', 'original'],
      description: 'Date of mirror rows: the day of the cancel (default) or that of the row.',
    },
    keep_date: list('DocTypes whose mirror rows bear the day of the row in any case.', {
      type: 'string',
    }),
    hold: fieldNames('Links whose records stay as they are until the posting is committed.'),
  },
)

/** `brings:` of a DocType. */
export const BRINGS = object(
  'Records that come with a new record: sets of them, files below setup/.',
  {
    if: expression('They come only when this is true.'),
    sets: list(
      'The sets, in the order they are made.',
      object(
        'A set, or all of a folder.',
        {
          from: text('Folder below setup/ that the set lies in.', { pattern: SLUG }),
          named: text('Field that names the set; without it all of the folder.', {
            pattern: FIELD_NAME,
          }),
          optional: flag('It is no mistake when there is no set of that name.'),
        },
        ['from'],
      ),
    ),
    owner: text('Field of the records that gets the name of the new record.', {
      pattern: FIELD_NAME,
    }),
    suffix: expression('Text that is put behind the names of the records.'),
  },
  ['sets'],
)

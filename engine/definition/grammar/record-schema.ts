import type { JsonSchema } from '../../fields/field-type.ts'
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
  withExamples,
} from './schema-parts.ts'

/** Rights a role may be given; `action` is every declared action, `all` is everything. */
export const RIGHT =
  '^(?:all|read|create|update|delete|submit|cancel|amend|action|report|export|action:[a-z][a-z0-9_]*)$'

const RIGHTS = list(
  'What the role may: all, or read create update delete submit cancel amend action action:<name> report export. action is every declared action; an action with roles of its own is theirs alone. export takes away as a file: a report as CSV, and more than 5,000 rows of a list of surface A at once.',
  { type: 'string', pattern: RIGHT },
)

/** Schema of `permissions:` of a DocType. */
export const PERMISSIONS: JsonSchema = withExamples(
  object('Who may do what, and with which records. A System Manager may do everything.', {
    roles: mapOf('Role → what it may. Without it the roles of the module in roles.yaml.', RIGHTS),
    rows: mapOf(
      'Role → expression its records meet; {read: …, write: …} where reading and changing differ. A record somebody may not read is not there for them: 404, no title, no event, no link. It is asked again of what an update makes of a record. One role of a person that is not limited is enough to see all; of several limited ones each adds its records.',
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
    fields: mapOf(
      'Field, or table.column → the roles that alone read and set it; System Managers do both. For who may not read a field there is none: not in answers, lists, filters, sorting, events, reports, papers, descriptions and exports. Who may not set it reads it, and is refused (422) when they send it. What is computed or taken of such a field has its readers too, unless it is named here; rollups and hooks have not. What only some may read is no title, no part of a name and not searched. A field of another DocType that the rows of a role, or a check that reads user, depend on needs write.',
      object('Roles that a field is kept for.', {
        read: list('Roles that may read it; everybody who reads the record without it.', {
          type: 'string',
        }),
        write: list('Roles that may set it; everybody who may change the record without it.', {
          type: 'string',
        }),
      }),
    ),
    follows: text(
      'Link or dynamic link to the record that this one belongs to, as a comment does to what it is about: who may not read that one does not see this one, one writes only about what one may read, and it is deleted with it. It may be about what is cancelled.',
      { pattern: FIELD_NAME },
    ),
    hand_over: mapOf(
      'Link to a person → states of the status in which a record still has to be done: when that person leaves, it goes to who is named as their successor. Without it the link stays.',
      list('States, at least one.', { type: 'string', maxLength: 140 }),
    ),
  }),
  {
    roles: { 'Sales Manager': ['all'], All: ['read', 'create'] },
    rows: { All: 'owner == user.name' },
    fields: { salary: { read: ['HR Manager'], write: ['HR Manager'] } },
    follows: 'reference_name',
    hand_over: { allocated_to: ['Open'] },
  },
)

/** Schema of `ledger.looks_back`. */
const LOOKS_BACK = object(
  'Rows stand at places in time. What is posted at an earlier place than others, or taken back there, brings the values of those right: each gets a difference row, of its own document, that names it in adjusts. basis, flow, takes, may_lack and guessed name the fields of these names where they are not said.',
  {
    series: fieldNames('Fields in which the rows agree whose values follow from each other.'),
    place: text('Text that the rows are ordered by, such as a day and a time.', {
      pattern: FIELD_NAME,
    }),
    hook: text(
      'Hook that values the rows of a series in their order. It is given the fields of its input rows, with taken for what comes from other rows, opening_qty and opening_value, and unit; it gives qty, value and missing for each.',
    ),
    quantity: text('Field of the quantity.', { pattern: FIELD_NAME }),
    value: text('Field of the value.', { pattern: FIELD_NAME }),
    basis: text('Text; a row that has it is kept, though its amounts are 0.', {
      pattern: FIELD_NAME,
    }),
    whole: text(
      'Text that is set where values follow from all rows before, not from their sums alone.',
      { pattern: FIELD_NAME },
    ),
    flow: text('Text that names the rows whose value goes on into others.', {
      pattern: FIELD_NAME,
    }),
    takes: text('The flow of the rows that a row has its value from.', { pattern: FIELD_NAME }),
    message: text('What is told when more would have left than was there at some place.'),
    may_lack: text('Check of rows of which more may leave than is there.', { pattern: FIELD_NAME }),
    guessed: text(
      'Check of rows whose value their document could not tell for certain; they are valued anew at once.',
      { pattern: FIELD_NAME },
    ),
    books: object(
      'What a difference row posts besides: the value to one account, against another. On a day that is closed it is posted on the first open one.',
      {
        post: text('Ledger that it is posted to, which has balance.'),
        account: text('Field of that ledger that names an account.', { pattern: FIELD_NAME }),
        debit: text('Field of the row with the account that gains the value.', {
          pattern: FIELD_NAME,
        }),
        credit: text('Field of the row with the other account.', { pattern: FIELD_NAME }),
        mark: text('Check of that ledger that is set then.', { pattern: FIELD_NAME }),
      },
      ['post', 'account', 'debit', 'credit'],
    ),
  },
  ['series', 'place', 'hook', 'quantity', 'value', 'message'],
)

/** Schema of `ledger.split`. */
const SPLIT = object(
  'A row that names a record, or finds one by a lookup of the ledger, is posted as several, one for each row of that record: a bundle of serial numbers as its pieces, a cost by the shares of who bears it. Where the ledger looks back they are valued as it says, whatever value the document gave them together.',
  {
    link: text('Link of the row to the record.', { pattern: FIELD_NAME }),
    rows: text('Table of that record.', { pattern: FIELD_NAME }),
    share: text('Column of the quantity of each.', { pattern: FIELD_NAME }),
    copy: fieldNames('Fields that come from those rows.'),
    parts: fieldNames(
      'Amounts of which each gets its part; the first is the quantity, which the shares must add up to where there is a message.',
    ),
    advance: text('Field that grows by what those before it got of the quantity.', {
      pattern: FIELD_NAME,
    }),
    before: text('Field that gets what earlier rows of the posting moved in the same series.', {
      pattern: FIELD_NAME,
    }),
    message: text(
      'What is told where the shares do not add up to the quantity; without it they need not.',
    ),
  },
  ['link', 'rows', 'share', 'copy', 'parts'],
)

/** Schema of `ledger:` of a DocType. */
export const LEDGER = withExamples(
  object(
    'Rows are only ever added: by submits and actions, and by the mirror rows of a cancel. The API answers 403, and the database itself refuses to change or delete one. voucher_type, voucher_no and reverses are added to its fields.',
    {
      balance: fieldNames(
        'Debit and credit: equal in every posting, else 422; a mirror row swaps them. A negative debit becomes a credit.',
      ),
      swap: fieldNames(
        'Further pairs that a mirror row swaps: [a, b, c, d] swaps a with b, c with d.',
      ),
      negate: fieldNames('Fields a mirror row has with the opposite sign.'),
      copy: fieldNames("Fields taken from the document's field of the same name unless set."),
      date: text('Field of the posting date; posting_date without it.'),
      reverse_date: {
        enum: ['open', 'today', 'original'],
        description:
          'Date of mirror rows: the day of the row where all ledgers of the document still take postings on it, else the day of the cancel (default); always the day of the cancel; always that of the row.',
      },
      keep_date: list('DocTypes whose mirror rows bear the day of the row in any case.', {
        type: 'string',
      }),
      contra: object(
        'Where each row tells what stands on the other side of its posting.',
        {
          field: text('Text field that tells it.', { pattern: FIELD_NAME }),
          names: fieldNames('What a row is called: the first of these fields that it has.'),
        },
        ['field', 'names'],
      ),
      counts: fieldNames(
        'Fields that a posting sets where an invariant of the ledger has to count its document. `svc doctype check` warns of a posting that sets one and whose DocType is in none of the terms.',
      ),
      hold: fieldNames(
        'Links whose records stay as they are from the checks of a posting to its commit: who changes one in the same instant waits, or the posting sees the change.',
      ),
      looks_back: LOOKS_BACK,
      split: SPLIT,
    },
  ),
  {
    balance: ['debit', 'credit'],
    swap: ['base_debit', 'base_credit'],
    negate: ['qty', 'value'],
    copy: ['company'],
    date: 'posting_date',
    reverse_date: 'original',
    keep_date: ['Stock Count'],
    contra: { field: 'against', names: ['party', 'account'] },
    counts: ['party'],
    hold: ['company'],
    looks_back: {
      series: ['fuel', 'depot'],
      place: 'moment',
      hook: 'fuel_values',
      quantity: 'qty',
      value: 'value',
      basis: 'basis',
      message: 'there is not enough fuel',
    },
    split: {
      link: 'cans',
      rows: 'cans',
      share: 'qty',
      copy: ['can'],
      parts: ['qty', 'value'],
      message: 'must hold as much as the row says',
    },
  },
)

/** Schema of `brings:` of a DocType. */
export const BRINGS = withExamples(
  object(
    'Records that come with a new record: sets of them, files below setup/. It is one transaction: a name that is taken (409) or a set that is not there (422) leaves nothing. What came along stays when the record goes.',
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
      owner: text(
        'Field of the records that gets the name of the new record, where they have it.',
        {
          pattern: FIELD_NAME,
        },
      ),
      suffix: expression(
        'Text that is put behind the names of records that are named by a field; what they link to among themselves follows.',
      ),
    },
    ['sets'],
  ),
  {
    if: 'outfit != ""',
    sets: [{ from: 'outfits', named: 'outfit' }],
    owner: 'site',
    suffix: '" - " + short_name',
  },
)

import type { JsonSchema } from '../fields/field-type.ts'
import { expression, FIELD_NAME, flag, list, mapOf, object, text } from './schema-parts.ts'
import { SET, STEP } from './step-schema.ts'

/** `status:` of a DocType. */
export const STATUS: JsonSchema = {
  ...object(
    'How the status comes about: derived from other fields, or chosen along a flow.',
    {
      field: text('The status field; it need not be declared.', { pattern: FIELD_NAME }),
      initial: text('State of a new record, with `flow`.'),
      cancelled: text('State that a cancel of a submitted document moves to, with `flow`.'),
      derive: mapOf('State → condition; the first that holds wins.', {
        $ref: '#/definitions/expression',
      }),
      flow: mapOf('State → states it may change to, or those states → roles that may.', {
        type: ['array', 'object'],
        items: { type: 'string' },
        additionalProperties: list('Roles that may; All is everybody.', { type: 'string' }),
      }),
      moves: mapOf(
        'With `flow`: state → condition; the status goes there by itself when it turns true, the first that holds.',
        { $ref: '#/definitions/expression' },
      ),
      tick: object(
        'When the status is derived again without a write.',
        { daily: expression('Records it is derived again for, every day.') },
        ['daily'],
      ),
    },
    ['field'],
  ),
  oneOf: [{ required: ['derive'] }, { required: ['flow', 'initial'] }],
}

/** One of `events:`. */
export const EVENT = object('An event, named <resource>.<key>.', {
  description: text('One sentence: what has happened. Subscribers read it in the list of events.'),
  on: {
    enum: ['create', 'update', 'submit', 'cancel', 'delete', 'change'],
    description: 'What makes it happen.',
  },
  field: text('The field that changes, with on: change.'),
  when: expression('It happens each time this turns from false to true.'),
  set: SET,
  data: {
    type: ['array', 'object'],
    items: { type: 'string' },
    additionalProperties: { $ref: '#/definitions/expression' },
    propertyNames: { pattern: FIELD_NAME },
    description: 'Fields, or key → expression, that are guaranteed in the data of the event.',
  },
})

/** One of `actions:`. */
export const ACTION = object(
  'An action: POST /v1/<resource>/<id>/actions/<name>, one transaction.',
  {
    label: text('What people read on the button.', { maxLength: 140 }),
    description: text('What it does.'),
    when: expression('Possible only while this is true.'),
    every: {
      enum: ['hour', 'day'],
      description: 'The server runs it so often for each record that `when` holds for.',
    },
    roles: list('Who may, besides those who may change the record.', { type: 'string' }),
    system: flag('No caller may, only the server itself.'),
    moves: text('State it moves a chosen status to.'),
    input: {
      $ref: '#/definitions/fields',
      description: 'Fields the caller sends; input.x in expressions.',
    },
    steps: list('What is done, in order.', STEP),
  },
)

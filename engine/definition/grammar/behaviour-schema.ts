import type { JsonSchema } from '../../fields/field-type.ts'
import {
  expression,
  FIELD_NAME,
  flag,
  list,
  mapOf,
  object,
  text,
  withExamples,
} from './schema-parts.ts'
import { SET, STEP } from './step-schema.ts'

/** Schema of `status:` of a DocType. */
export const STATUS: JsonSchema = {
  ...withExamples(
    object(
      'How the status comes about: derived from other fields, or chosen along a flow. The field need not be declared: it is a filterable select of the states; declare it for a label, a description or a place in the form.',
      {
        field: text('The status field, status without it; it need not be declared.', {
          pattern: FIELD_NAME,
        }),
        initial: text(
          'State of a new record, with flow; an amendment begins there again. Who creates a record in another state needs a way of arrows there.',
        ),
        cancelled: text('State that a cancel of a submitted document moves to, with `flow`.'),
        derive: mapOf('State → condition; the first that holds wins, and nobody sets it.', {
          $ref: '#/definitions/expression',
        }),
        flow: mapOf(
          'State → states it may change to, or those states → roles that may. This is the workflow; there is no second mechanism. Others get a 403 that names states and roles; a System Manager may go along every arrow.',
          {
            type: ['array', 'object'],
            items: { type: 'string' },
            additionalProperties: list(
              'Roles that may; All is everybody who may update the record.',
              { type: 'string' },
            ),
          },
        ),
        moves: mapOf(
          'With flow: state → condition on stored fields and rollups, not the status. The status goes by itself to the first that holds when that turns true, arrows or not; when the condition of the state it is in falls, to the first that still holds, else back to initial. What somebody has chosen since stands.',
          { $ref: '#/definitions/expression' },
        ),
        tick: object(
          'When the status is derived again without a write, since today() changes without one. `svc tick` does it at once.',
          { daily: expression('Records it is derived again for, every day.') },
          ['daily'],
        ),
      },
    ),
    {
      field: 'decision',
      initial: 'Open',
      cancelled: 'Cancelled',
      derive: { Paid: 'outstanding == 0', Unpaid: 'true' },
      flow: { Open: { Approved: ['HR Manager'] }, Approved: [] },
      moves: { Taken: 'bookings > 0' },
      tick: { daily: 'docstatus == 1 && paid_on == ""' },
    },
  ),
  oneOf: [{ required: ['derive'] }, { required: ['flow', 'initial'] }],
}

/** Schema of one of `events:`. */
export const EVENT = withExamples(
  object(
    'An event, named <resource>.<key>. Every resource has created, updated, deleted and, when submittable, submitted and cancelled. The data of every event is the whole record as GET shows it.',
    {
      description: text(
        'One sentence: what has happened. Subscribers read it in GET /v1/webhooks/events; without it one is made from the label.',
      ),
      trigger: {
        enum: ['create', 'update', 'submit', 'cancel', 'delete', 'change'],
        description: 'What makes it happen.',
      },
      field: text('The field that changes, with trigger: change.'),
      when: expression(
        'It happens each time this turns from false to true between start and end of a change, no matter what made it true.',
      ),
      set: SET,
      data: {
        type: ['array', 'object'],
        items: { type: 'string' },
        additionalProperties: { $ref: '#/definitions/expression' },
        propertyNames: { pattern: FIELD_NAME },
        description:
          'Keys that are guaranteed in the data, beside id; title and status without it. A list of fields, or key → expression, which adds keys to the record. Such a key may not be called like a field (except to name that very field), and nothing may tell a password.',
      },
    },
  ),
  {
    description: 'Nothing is left to pay of an invoice.',
    trigger: 'submit',
    field: 'balance',
    when: 'docstatus == 1 && outstanding_amount == 0',
    set: { paid_at: 'now()' },
    data: ['customer', 'grand_total'],
  },
)

/** Schema of one of `actions:`. */
export const ACTION = withExamples(
  object(
    'An action: a button, and POST /v1/<resource>/<id>/actions/<name>. All its steps are one transaction; the answer is the record, and names what was created in _created.',
    {
      label: text('What people read on the button.', { maxLength: 140 }),
      description: text('What it does.'),
      when: expression('Possible only while this is true, else 409.'),
      message: text(
        'What the caller is told while when is false; {…} is an expression. Without it the condition is told in the words of its labels, so it is needed where when calls functions, or reads links, rows or internal fields.',
      ),
      every: {
        enum: ['hour', 'day'],
        description:
          'The server runs it by itself, shortly after midnight (UTC) or after each full hour, for each record whose when holds; when names fields, today() and now() then, no links and no input. It is run again while when still holds, at most 60 times at once, so what was missed is caught up. One that is refused is logged and stops nothing else. `svc tick` does it at once.',
      },
      roles: list('Who may, besides those who may change the record.', { type: 'string' }),
      system: flag('No caller may, only the server itself.'),
      moves: text(
        'State it moves a chosen status to, even where flow has no arrow; where there is one with roles, for these unless the action has roles.',
      ),
      input: {
        $ref: '#/definitions/fields',
        description: 'Fields the caller sends; input.x in expressions.',
      },
      parts: text(
        'Own table of which it may be done for a part: callers may send rows: [{row_id, qty}] besides, the rows it is about and how much of each; input.rows in expressions, without rows where all that is left is meant. A row_id that is of no row of the table is refused (422).',
        { pattern: FIELD_NAME },
      ),
      steps: list(
        'What is done, in order. set may fill fields that are readOnly, also of a submitted document. What set and fill give is written when all steps are done: the other steps see the document as it was.',
        STEP,
      ),
    },
  ),
  {
    label: 'Bill the Month',
    when: 'docstatus == 1 && unbilled > 0',
    message: 'nothing is left to bill of {grand_total}',
    every: 'day',
    roles: ['Sales Manager'],
    moves: 'Handed Over',
    parts: 'vehicles',
    input: { vehicle: { type: 'link', options: 'Pool Vehicle', required: true } },
    steps: [{ set: { paid_on: 'today()' } }],
  },
)

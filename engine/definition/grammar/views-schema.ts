import type { JsonSchema } from '../../fields/field-type.ts'
import { FIELD_NAME, fieldNames, object, text, withExamples } from './schema-parts.ts'

const field = (description: string): JsonSchema => text(description, { pattern: FIELD_NAME })

/** Schema of `views:` of a DocType. */
export const VIEWS: JsonSchema = withExamples(
  object(
    'Ways to look at the list besides its table, for screens; GET /v1/resources/{slug} has them.',
    {
      board: object(
        'A column for each value of a field, with a card for each record.',
        {
          by: field(
            'The select, check or link whose values are the columns; of a status with flow only its moves are possible.',
          ),
          card: fieldNames(
            'What a card shows below its title; the columns of the list without it.',
          ),
          sum: field('Number or amount that is added up for each column.'),
        },
        ['by'],
      ),
      calendar: object(
        'The records in time.',
        {
          start: field('Date or moment it begins.'),
          end: field('Date or moment it ends; without it the day of start.'),
          title: field('What an entry says; the title of the record without it.'),
        },
        ['start'],
      ),
    },
  ),
  {
    board: { by: 'status', card: ['driver', 'due_on'], sum: 'cost' },
    calendar: { start: 'from_date', end: 'to_date', title: 'driver' },
  },
)

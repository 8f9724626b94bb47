import { argumentsOf, ID, RESOURCE, text } from './argument-schemas.ts'
import { pathOf } from './request.ts'
import type { Tool } from './tool.ts'
import { plainQuery } from './tool-arguments.ts'

/** Tools beside the twelve, of `svc mcp --tools full` (contract.md §7.8). */
export const MORE_TOOLS: readonly Tool[] = [
  {
    name: 'explain',
    title: 'Explain a value',
    description:
      'Tells why a field of a record has its value: how it came about (entered, formula, fetch, lookup, rollup, status, …), the expression with file and line, the values that went in, and the records that were added up. Use it when a total, a price or a status is not what somebody expects, before you call it a mistake.',
    inputSchema: argumentsOf(
      {
        resource: RESOURCE,
        id: ID,
        field: text('The field, e.g. "grand_total", or one of a row: "items[0].amount".'),
        depth: {
          type: 'integer',
          description: 'From 1 to 5: how far what went in is explained too; 1 without it.',
        },
        cursor: text('next_cursor of the answer before, for the records that follow.'),
      },
      'resource',
      'id',
      'field',
    ),
    annotations: {
      readOnlyHint: true,
      destructiveHint: false,
      idempotentHint: true,
      openWorldHint: false,
    },
    request: ({ resource, id, field, depth, cursor }) => ({
      method: 'GET',
      path: pathOf(['resource', resource], ['id', id], 'explain', ['field', String(field)]),
      query: plainQuery({ depth, cursor }),
    }),
  },
]

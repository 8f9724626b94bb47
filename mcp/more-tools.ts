import { argumentsOf, ID, RESOURCE, SCALAR, text } from './argument-schemas.ts'
import { type ApiRequest, pathOf, refuse } from './request.ts'
import type { ArgumentSchema, Tool, ToolArguments } from './tool.ts'
import { plainQuery, recordBody, writable } from './tool-arguments.ts'

const READS = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
} as const

const CHANGES = {
  readOnlyHint: false,
  destructiveHint: true,
  idempotentHint: false,
  openWorldHint: false,
} as const

/** The operations whose effects can be looked at beforehand; any other word is the name of an action. */
const LIFE = new Set(['submit', 'cancel', 'amend'])

const INPUT: ArgumentSchema = {
  type: 'object',
  description: 'What the action takes, e.g. {"posting_date": "2026-03-01"}; {} for most.',
  additionalProperties: true,
}

/** Tools beside the twelve, of `svc mcp --tools full` (contract.md §7.8). */
const MORE_TOOLS: readonly Tool[] = [
  {
    name: 'run_action',
    title: 'Run an action',
    description:
      'Runs an action of a record, e.g. make_invoice of a sales order: the way one document leads to the next, with prices, taxes and quantities taken along. Answers the record, and in _created what was made: {resource, id} of each, mostly drafts that wait for submit_record. describe names the actions of a resource in _actions with what they take; where an action is not possible now, the refusal says why.',
    inputSchema: argumentsOf(
      {
        resource: RESOURCE,
        id: ID,
        action: text('Name of the action, e.g. "make_invoice".'),
        input: INPUT,
      },
      'resource',
      'id',
      'action',
    ),
    annotations: CHANGES,
    request: ({ resource, id, action, input }) => ({
      method: 'POST',
      path: actionPath(resource, id, String(action)),
      body: recordBody((input ?? {}) as ToolArguments['data']),
    }),
  },
  {
    name: 'run_report',
    title: 'Run a report',
    description:
      'Answers a question about many records at once: who owes what, stock against reorder levels, profit, ledgers. Without report it lists the reports with their parameters. Most need no parameters. limit (100) and order_by ("-outstanding") are parameters too.',
    inputSchema: argumentsOf({
      report: text('Slug of the report, e.g. "accounts-receivable-summary"; none lists them all.'),
      params: {
        type: 'object',
        description: 'Parameters of the report, e.g. {"company": "ACME", "limit": 20}.',
        additionalProperties: { anyOf: SCALAR },
      },
    }),
    annotations: READS,
    request: ({ report, params }) =>
      report === undefined
        ? { method: 'GET', path: pathOf('reports'), query: [['brief', '1']] }
        : {
            method: 'GET',
            path: pathOf('reports', ['report', String(report)]),
            query: plainQuery(withoutNulls(params)),
          },
  },
  {
    name: 'preview',
    title: 'Preview a change',
    description:
      'Does a change and takes it back: {record, problems, created, changed, ledgers, events} tell what it would do. Use it before submit_record, and to see totals and every problem of a record that you are about to create. Nothing is stored, no number is used.',
    inputSchema: argumentsOf(
      {
        resource: RESOURCE,
        id: text('The id of the record; not for "create".'),
        operation: text(
          '"create", "update", "delete", "submit", "cancel", "amend", or the name of an action.',
        ),
        data: { ...INPUT, description: 'Fields of "create" and "update", input of an action.' },
      },
      'resource',
      'operation',
    ),
    annotations: READS,
    request: previewRequest,
  },
  {
    name: 'search',
    title: 'Search everything',
    description:
      'Finds records by words in all resources at once, best first: {resource, id, title, subtitle, status} of each. The quickest way from a name to an id.',
    inputSchema: argumentsOf(
      {
        q: { ...text('Words or parts of them, e.g. "acme".'), minLength: 1 },
        resources: {
          type: 'array',
          items: { type: 'string' },
          description: 'Only in these resources, e.g. ["customers", "items"].',
        },
        limit: { type: 'integer', description: 'Most hits, 1 to 50; 8 without it.' },
      },
      'q',
    ),
    annotations: READS,
    request: ({ q, resources, limit }) => ({
      method: 'GET',
      path: pathOf('search'),
      query: plainQuery({ q, resources: (resources as string[] | undefined)?.join(','), limit }),
    }),
  },
  {
    name: 'describe',
    title: 'Describe a resource for writing',
    description:
      'Tells in few words what may be sent when a record is created: {"customer": "link customers, required", "items": {"item_code": "link items"}}, and in _actions what can be run on one. Call it before the first create_record or run_action of a resource; get_record of "resources" tells ten times as much.',
    inputSchema: argumentsOf({ resource: RESOURCE }, 'resource'),
    annotations: READS,
    request: ({ resource }) => ({
      method: 'GET',
      path: pathOf('resources', ['resource', resource]),
      query: [['for', 'write']],
    }),
  },
  {
    name: 'cancel_record',
    title: 'Cancel a document',
    description:
      'Cancels a submitted document (docstatus 1 becomes 2): what it posted is reversed, both stay on record, and it cannot be submitted again. Refused while submitted documents stand on it (error.linked names them). Look with preview first, and ask the person you work for unless they have told you to cancel.',
    inputSchema: argumentsOf({ resource: RESOURCE, id: ID }, 'resource', 'id'),
    annotations: { ...CHANGES, idempotentHint: true },
    request: ({ resource, id }) => ({
      method: 'POST',
      path: pathOf(['resource', writable(resource)], ['id', id], 'cancel'),
    }),
  },
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
    annotations: READS,
    request: ({ resource, id, field, depth, cursor }) => ({
      method: 'GET',
      path: pathOf(['resource', resource], ['id', id], 'explain', ['field', String(field)]),
      query: plainQuery({ depth, cursor }),
    }),
  },
]

/** What tools of the twelve say of themselves where there are the others too. */
const TOLD_OTHERWISE: Readonly<Record<string, string>> = {
  list_resources:
    'Tells what this workspace keeps: {data: [{slug, label, tier, module, submittable, fields}]}; the slug is what other tools take as resource. Call it with brief: true (without fields), or with module; without, the answer is very long. describe tells what one resource takes.',
  get_record:
    'Reads one record in full, rows of its tables included. describe tells what its resource takes, run_report runs a report.',
  submit_record:
    'Submits a draft (docstatus 0 becomes 1): it is issued, posts to ledgers and stock, and can no longer be changed or deleted, only cancelled (cancel_record), which reverses its effects and leaves both on record. So look with preview first, and ask the person you work for unless they have told you to submit. Only resources with submittable: true.',
}

/** All tools: the twelve as they say themselves beside the others, and those. */
export function allTools(twelve: readonly Tool[]): readonly Tool[] {
  const told = twelve.map((tool) => ({
    ...tool,
    description: TOLD_OTHERWISE[tool.name] ?? tool.description,
  }))
  return [...told, ...MORE_TOOLS]
}

function actionPath(resource: string, id: string, action: string): string {
  return pathOf(['resource', writable(resource)], ['id', id], 'actions', ['action', action])
}

/** The request of the change itself, which `_preview=1` takes back. */
function previewRequest({ resource, id, operation, data }: ToolArguments): ApiRequest {
  const what = String(operation)
  const query = [['_preview', '1']] as const
  const own = ['resource', writable(resource)] as const
  const body = data === undefined ? {} : { body: recordBody(data) }
  if (what === 'create') {
    if (id !== undefined) refuse('id', 'expected none: a record that is created has no id yet')
    return { method: 'POST', path: pathOf(own), query, body: recordBody(data ?? {}) }
  }
  if (id === undefined) return refuse('id', `is required for ${JSON.stringify(what.slice(0, 60))}`)
  if (what === 'update' || what === 'delete') {
    const path = pathOf(own, ['id', id])
    if (what === 'update') return { method: 'PATCH', path, query, body: recordBody(data ?? {}) }
    return { method: 'DELETE', path, query }
  }
  if (LIFE.has(what)) return { method: 'POST', path: pathOf(own, ['id', id], what), query, ...body }
  return {
    method: 'POST',
    path: actionPath(resource, id, what),
    query,
    body: recordBody(data ?? {}),
  }
}

/** Parameters without those that are not set. */
function withoutNulls(params: unknown = {}): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(params as object).filter(([, value]) => value !== null))
}

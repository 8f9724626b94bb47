import { argumentsOf, ID, PAGING, RESOURCE, SCALAR, text } from './argument-schemas.ts'
import { pathOf } from './request.ts'
import type { Tool } from './tool.ts'
import { listQuery, plainQuery, recordBody, writable } from './tool-arguments.ts'

const READS = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
} as const

const CHANGES = {
  readOnlyHint: false,
  destructiveHint: true,
  idempotentHint: true,
  openWorldHint: false,
} as const

/** The description of a resource is that of a record of `resources`. */
const DESCRIBE = 'get_record with resource "resources" and the slug as id'

const WALK =
  'One page comes at a time: while the answer has a next_cursor there is more, so call again with it as cursor.'

const VALUES =
  'Money, quantities and percentages are numbers (1234.5, never "1,234.50"), dates "2026-01-15", times "09:30:00", moments ISO 8601 in UTC, yes/no true or false, a link the id of the other record, null empties a field. A table is an array of rows.'

/** The twelve tools (spec §4, Tool server), in its order. */
export const TOOLS: readonly Tool[] = [
  {
    name: 'list_resources',
    title: 'List resources',
    description: `Call this first, with brief: true: it tells what this workspace keeps. Answers {data: [{slug, label, tier, module, submittable, fields: [{name, type, filterable, createOnly}]}]}; the slug is what other tools take as resource. Without arguments the answer has the fields of everything and is very long (100 KB and more); module narrows it to one module. For one resource in full (which fields are required, options of selects, the resource behind a link, the fields of table rows) use ${DESCRIBE}; read that before the first create_record of a resource.`,
    inputSchema: argumentsOf({
      brief: {
        type: 'boolean',
        description:
          'true leaves the fields out (fields is empty): an overview in a tenth of the length.',
      },
      module: text('Only the resources of this module, e.g. "crm".'),
    }),
    annotations: READS,
    request: ({ brief, module }) => ({
      method: 'GET',
      path: pathOf('resources'),
      query: plainQuery({ module, brief: brief === undefined ? undefined : Number(brief) }),
    }),
  },
  {
    name: 'list_records',
    title: 'List records',
    description: `Finds records of a resource, newest change first. filter is an object of field and value that must all hold; the field takes a suffix for anything but "equals": __ne, __gt, __gte, __lt, __lte, __like (contains, any case), __in (one of an array). Example: {"status": "Open", "grand_total__gte": 1000, "customer__in": ["CUST-00001", "CUST-00002"]}. null finds records without a value, with __ne those that have one. Only fields that list_resources marks filterable can be used; a wrong one is refused with what is possible. Use q to search by words instead. ${WALK} Ask with fields for only what you need.`,
    inputSchema: argumentsOf(
      {
        resource: RESOURCE,
        filter: {
          type: 'object',
          description:
            'Field (with suffix) and value, e.g. {"docstatus": 1, "created__gte": "2026-01-01T00:00:00Z", "status__in": ["Open", "Replied"]}.',
          additionalProperties: {
            anyOf: [...SCALAR, { type: 'array', items: { anyOf: SCALAR } }],
          },
        },
        order_by: {
          type: 'string',
          pattern: '^\\s*[^\\s,]+(\\s+([aA][sS][cC]|[dD][eE][sS][cC]))?\\s*$',
          description:
            'One field and asc or desc, e.g. "transaction_date asc"; "modified desc" without it.',
        },
        q: text(
          'Words or parts of words to look for in the main text fields, whatever the case; together with filter.',
        ),
        fields: {
          anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }],
          description:
            'Fields to answer, as an array or separated by commas, tables too, and only those: name id where you need it. Without it all except tables and long texts.',
        },
        ...PAGING,
      },
      'resource',
    ),
    annotations: READS,
    request: (args) => ({
      method: 'GET',
      path: pathOf(['resource', args.resource]),
      query: listQuery(args),
    }),
  },
  {
    name: 'get_record',
    title: 'Get a record',
    description: `Reads one record in full, rows of its tables included. Also: resource "resources" with a slug as id describes that resource (fields, required, options, links, actions), and resource "reports" with a report's slug runs it.`,
    inputSchema: argumentsOf({ resource: RESOURCE, id: ID }, 'resource', 'id'),
    annotations: READS,
    request: ({ resource, id }) => ({
      method: 'GET',
      path: pathOf(['resource', resource], ['id', id]),
    }),
  },
  {
    name: 'create_record',
    title: 'Create a record',
    description: `Creates a record and answers it, with its id and everything the workspace computed. Documents that are submitted (submittable in list_resources) are made as drafts that move neither money nor stock until submit_record. ${VALUES} Leave out fields that are readOnly: the workspace computes totals, names and dates of creation. A refusal names every wrong field in details. A call whose outcome is unknown may have made the record: look with list_records before you try again.`,
    inputSchema: argumentsOf(
      {
        resource: RESOURCE,
        data: {
          type: 'object',
          description:
            'Fields and values, e.g. {"customer": "CUST-00001", "items": [{"item_code": "BELL-01", "qty": 4}]}.',
          additionalProperties: true,
        },
      },
      'resource',
      'data',
    ),
    annotations: { ...CHANGES, destructiveHint: false, idempotentHint: false },
    request: ({ resource, data }) => ({
      method: 'POST',
      path: pathOf(['resource', writable(resource)]),
      body: recordBody(data),
    }),
  },
  {
    name: 'update_record',
    title: 'Update a record',
    description: `Changes the fields that data names and leaves the others. Careful with tables: a table in data replaces the whole table, so get_record first and send all its rows; rows with their row_id are kept and changed, rows without are new, rows left out are removed. ${VALUES} A createOnly field cannot be changed, and a submitted document not at all.`,
    inputSchema: argumentsOf(
      {
        resource: RESOURCE,
        id: ID,
        data: {
          type: 'object',
          description: 'Fields to change and their new values, e.g. {"status": "Contacted"}.',
          additionalProperties: true,
        },
      },
      'resource',
      'id',
      'data',
    ),
    annotations: CHANGES,
    request: ({ resource, id, data }) => ({
      method: 'PATCH',
      path: pathOf(['resource', writable(resource)], ['id', id]),
      body: recordBody(data),
    }),
  },
  {
    name: 'delete_record',
    title: 'Delete a record',
    description:
      'Deletes a record for good; it cannot be brought back. Refused for submitted documents and for records that others link to (error.linked names them). Needs a key of scope admin. The answer is empty.',
    inputSchema: argumentsOf({ resource: RESOURCE, id: ID }, 'resource', 'id'),
    annotations: CHANGES,
    request: ({ resource, id }) => ({
      method: 'DELETE',
      path: pathOf(['resource', writable(resource)], ['id', id]),
    }),
  },
  {
    name: 'submit_record',
    title: 'Submit a document',
    description:
      'Submits a draft (docstatus 0 becomes 1): it is issued, posts to ledgers and stock, and can no longer be changed or deleted. No tool undoes this; only a person (or POST /v1/{resource}/{id}/cancel) can cancel it, which reverses its effects and leaves both on record. So check the draft with get_record, and ask the person you work for unless they have told you to submit. Only resources with submittable: true.',
    inputSchema: argumentsOf({ resource: RESOURCE, id: ID }, 'resource', 'id'),
    annotations: CHANGES,
    request: ({ resource, id }) => ({
      method: 'POST',
      path: pathOf(['resource', writable(resource)], ['id', id], 'submit'),
    }),
  },
  {
    name: 'list_addons',
    title: 'List add-ons',
    description:
      'Lists the add-ons of the marketplace: bundles of resources, with their price and whether the workspace has them (billing_state "included") or needs a higher tier ("requires_upgrade").',
    inputSchema: argumentsOf({}),
    annotations: READS,
    request: () => ({ method: 'GET', path: pathOf('addons') }),
  },
  {
    name: 'list_tiers',
    title: 'List tiers',
    description:
      'Lists the tiers (plans) with their price per user and month, seats and what each includes; current is the one of the workspace. Look here when a resource is refused because of the tier.',
    inputSchema: argumentsOf({}),
    annotations: READS,
    request: () => ({ method: 'GET', path: pathOf('tiers') }),
  },
  {
    name: 'subscribe_tier',
    title: 'Change the tier',
    description:
      'Changes the tier of the workspace, which may cost money or take resources away: only when the person you work for asks for it. Where nothing is to be paid it applies at once ({tier, applied: true}); else the answer has a checkout_url to hand to that person, and nothing changes until they have paid. Needs a key of scope admin.',
    inputSchema: argumentsOf(
      {
        slug: {
          type: 'string',
          minLength: 1,
          description: 'The tier to have, e.g. "free", "pro" or "business"; list_tiers has all.',
        },
        seats: { type: 'integer', description: 'How many users are paid for, from 1.' },
      },
      'slug',
    ),
    // It reaches the payment provider; a second call may open a second checkout.
    annotations: { ...CHANGES, idempotentHint: false, openWorldHint: true },
    request: ({ slug, seats }) => ({
      method: 'POST',
      path: pathOf('tiers', ['slug', slug], 'subscribe'),
      body: seats === undefined ? {} : { seats },
    }),
  },
  {
    name: 'list_events',
    title: 'List events',
    description: `Tells what happened in the workspace, newest first: {id, event, resource, kind, record_id, timestamp, actor, data} for each. With after (the id of an event you have seen) it tells what followed, oldest first. ${WALK}`,
    inputSchema: argumentsOf({
      event: text('Exact name, e.g. "sales-orders.submitted".'),
      resource: text('Slug of a resource.'),
      kind: text('created, updated, submitted, paid, cancelled, …'),
      record_id: text('Id of one record.'),
      actor: text('Who did it, as events show it.'),
      since: text('Moment of the earliest, e.g. "2026-01-15T00:00:00Z".'),
      until: text('Moment of the latest.'),
      after: text('Id of an event: what followed it, oldest first. Not together with offset.'),
      order: text('"desc" (newest first, as without it) or "asc".'),
      ...PAGING,
    }),
    annotations: READS,
    request: (args) => ({ method: 'GET', path: pathOf('events'), query: plainQuery(args) }),
  },
  {
    name: 'list_webhook_subscriptions',
    title: 'List webhook subscriptions',
    description: `Lists which addresses outside are told of which events, and how their last delivery went. Signing secrets are never shown. ${WALK}`,
    inputSchema: argumentsOf(PAGING),
    annotations: READS,
    request: (args) => ({ method: 'GET', path: pathOf('webhooks'), query: plainQuery(args) }),
  },
]

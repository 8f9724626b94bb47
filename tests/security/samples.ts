/** What a route or method is called with, so that a request gets as far as its guards let it. */
export interface Sample {
  /** Values of the parameters in the path; those below where it has none of its own. */
  readonly at?: Readonly<Record<string, string>>
  readonly query?: string
  readonly body?: object
}

/** A customer that is there. */
export const CUSTOMER = 'CUST-00001'
const NOTHING = 'nothing'

const PARAMETERS: Readonly<Record<string, string>> = {
  ':resource': 'customers',
  ':doctype': 'Customer',
  ':slug': 'customers',
  ':report': 'lead-details',
  ':id': NOTHING,
  ':field': 'customer_name',
  ':key': 'nothing',
  ':delivery': NOTHING,
  ':token': NOTHING,
  ':name': 'hold',
  '*name': CUSTOMER,
}

const ORDER = { ':resource': 'sales-orders', ':id': NOTHING }
const UNKNOWN = { nonsense: 1 }

/** Requests of routes that need more than the values above; what is allowed shall change as little as may be. */
const SAMPLES: Readonly<Record<string, Sample>> = {
  'GET /docs/reports/:slug': { at: { ':slug': 'trial-balance' } },
  'POST /v1/tiers/:slug/subscribe': { at: { ':slug': 'pro' }, body: UNKNOWN },
  'POST /v1/api-keys': { body: UNKNOWN },
  'POST /v1/webhooks': { body: UNKNOWN },
  'POST /v1/list-views': { body: UNKNOWN },
  'PUT /v1/me/settings/:key': { body: UNKNOWN },
  'PATCH /v1/list-views/:id': { body: UNKNOWN },
  'POST /v1/notifications/read': { body: UNKNOWN },
  'GET /v1/:resource/:id/timeline': { at: { ':id': CUSTOMER } },
  'POST /v1/:resource/:id/comments': { at: { ':id': CUSTOMER }, body: UNKNOWN },
  'POST /v1/:resource/:id/assign': { at: { ':id': CUSTOMER }, body: UNKNOWN },
  'POST /v1/:resource/:id/links': { at: { ':id': CUSTOMER }, body: UNKNOWN },
  'POST /v1/:resource/:id/send': { at: { ':id': CUSTOMER }, body: UNKNOWN },
  'GET /v1/search': { query: '?q=blue' },
  'PATCH /v1/webhooks/:id': { body: UNKNOWN },
  'POST /v1/:resource': { body: UNKNOWN },
  'GET /v1/:resource/:id': { at: { ':id': CUSTOMER } },
  'GET /v1/:resource/:id/explain/:field': { at: { ':id': CUSTOMER } },
  'GET /print/:resource/:id': { at: { ':id': CUSTOMER } },
  'PATCH /v1/:resource/:id': { at: { ':id': CUSTOMER }, body: { phone: '+43 1 1' } },
  'POST /v1/:resource/_bulk': {
    body: { ids: [NOTHING], do: 'update', data: { phone: '+43 1 4' } },
  },
  'POST /v1/:resource/_export': { body: UNKNOWN },
  'POST /v1/:resource/:id/leave': { at: { ':resource': 'users' } },
  'POST /v1/:resource/:id/submit': { at: ORDER },
  'POST /v1/:resource/:id/cancel': { at: ORDER },
  'POST /v1/:resource/:id/amend': { at: ORDER },
  'POST /v1/:resource/:id/update-submitted': { at: ORDER, body: {} },
  'POST /v1/:resource/:id/actions/:name': { at: ORDER },
  'POST /api/resource/:doctype': { body: {} },
  'PUT /api/resource/:doctype/*name': { body: { phone: '+43 1 2' } },
  'PATCH /api/resource/:doctype/*name': { body: { phone: '+43 1 3' } },
  'DELETE /api/resource/:doctype/*name': { at: { '*name': NOTHING } },
  'POST /api/resource/:doctype/*name': {
    at: { ':doctype': 'Sales%20Order', '*name': NOTHING },
    query: '?run_method=submit',
  },
}

/** Path and body of a request to a route. */
export function sampleOf(route: string): { readonly path: string; readonly body?: object } {
  const sample = SAMPLES[route.replace(' /api/v1/', ' /api/')] ?? {}
  const values = { ...PARAMETERS, ...sample.at }
  const pattern = route.slice(route.indexOf(' ') + 1)
  const path = pattern.replaceAll(/[:*]\w+/g, (name) => {
    const value = values[name]
    if (value === undefined) throw new Error(`${route}: there is no value for ${name}`)
    return value
  })
  return { path: path + (sample.query ?? ''), ...(sample.body && { body: sample.body }) }
}

const OF_CUSTOMER = { doctype: 'Customer', name: CUSTOMER, filters: { name: CUSTOMER } }
const MISSING_ORDER = { doctype: 'Sales Order', name: NOTHING }

/** Arguments of the methods of surface A. */
const ARGUMENTS: Readonly<Record<string, object>> = {
  'frappe.client.get_list': { doctype: 'Customer' },
  'frappe.client.get_count': { doctype: 'Customer' },
  'frappe.client.get': OF_CUSTOMER,
  'frappe.client.get_value': { doctype: 'Customer', filters: CUSTOMER, fieldname: 'phone' },
  'frappe.client.get_single_value': { doctype: 'Customer', field: 'phone' },
  'frappe.client.has_permission': { doctype: 'Customer', docname: CUSTOMER },
  'frappe.client.get_doc_permissions': { doctype: 'Customer', docname: CUSTOMER },
  'frappe.client.validate_link': { doctype: 'Customer', docname: CUSTOMER },
  'frappe.client.is_document_amended': { doctype: 'Sales Order', docname: NOTHING },
  'frappe.client.set_value': { ...OF_CUSTOMER, fieldname: 'phone', value: '+43 1 4' },
  'frappe.client.insert': { doc: { doctype: 'Customer' } },
  'frappe.client.insert_many': { docs: [{ doctype: 'Customer' }] },
  'frappe.client.save': { doc: { doctype: 'Customer', name: CUSTOMER, phone: '+43 1 5' } },
  'frappe.client.bulk_update': {
    docs: [{ doctype: 'Customer', docname: NOTHING, phone: '+43 1 6' }],
  },
  'frappe.client.submit': { doc: { doctype: 'Sales Order' } },
  'frappe.client.cancel': MISSING_ORDER,
  'frappe.client.delete': { doctype: 'Customer', name: NOTHING },
  'frappe.client.rename_doc': { doctype: 'Customer', old_name: CUSTOMER, new_name: 'other' },
  'frappe.rename_doc': { doctype: 'Customer', old: CUSTOMER, new: 'other' },
  'frappe.desk.search.search_link': { doctype: 'Customer', txt: '' },
  'frappe.model.workflow.get_transitions': { doc: { doctype: 'Customer', name: CUSTOMER } },
  'frappe.model.workflow.apply_workflow': { doc: MISSING_ORDER, action: 'hold' },
  run_doc_method: { dt: 'Sales Order', dn: NOTHING, method: 'hold' },
  'frappe.desk.query_report.run': { report_name: 'Nothing' },
  'frappe.core.doctype.user.user.generate_keys': { user: 'nobody@example.com' },
}

/** What a method is called with. */
export function argumentsOf(method: string): Readonly<Record<string, unknown>> {
  return (ARGUMENTS[method] ?? {}) as Readonly<Record<string, unknown>>
}

/** The same in an address: what is no text is JSON, as Frappe's clients send it. */
export function queryOf(values: Readonly<Record<string, unknown>>): string {
  const texts = Object.entries(values).map(([name, value]) => [
    name,
    typeof value === 'string' ? value : JSON.stringify(value),
  ])
  return `?${new URLSearchParams(Object.fromEntries(texts))}`
}

import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { PROBLEM_CODES, type ProblemCode } from '../../engine/base/problem-codes.ts'
import { type Answered, openSite, type Site } from './api/site.ts'

const DOCTYPES = {
  depot: `
doctype: Depot
module: stock
tier: free
naming: field:code
title: title
fields:
  code: {type: data, required: true, createOnly: true}
  title: {type: data}
  badge: {type: int, unique: true}
  near: {type: link, options: Depot}
`,
  waybill: `
doctype: Waybill
module: stock
tier: free
submittable: true
naming: WAY-{#####}
fields:
  title: {type: data}
  first: {type: link, options: Waybill}
  depot: {type: link, options: Depot}
`,
  probe: `
doctype: Probe
module: stock
tier: free
naming: PRO-{#####}
fields:
  n: {type: int, min: 0, max: 100, required: true}
  reason: {type: data, required_when: n > 90}
  kind: {type: select, options: [Dry, Wet], filterable: true}
  divisor: {type: int, default: 1}
  share: {type: float, formula: n / divisor}
  day: {type: date}
  mark: {type: data, length: 3, pattern: "^[A-Z]+$"}
  depot: {type: link, options: Depot}
  waybill: {type: link, options: Waybill}
  parts:
    type: table
    options: Probe Part
    fields:
      depot: {type: link, options: Depot, required: true}
      qty: {type: float, min: 1}
validate:
  - {check: n != 7, field: n, message: is required}
  - {check: n != 8, field: depot, message: expected an existing one}
  - {check: n != 9, field: waybill, message: is cancelled; name a live one}
  - {each: parts, unique: [depot], field: depot, message: stands there twice}
`,
}

const codes = suite('codes of problems')

let site: Site
const ids: Record<string, string> = {}
codes.before(async () => {
  site = await openSite({ doctypes: DOCTYPES, settings: { rateLimit: false } })
  await onV1('POST', 'depots', { code: 'north', title: 'North', badge: 1 })
  await onV1('POST', 'depots', { code: 'south', near: 'north' })
  for (const name of ['draft', 'submitted', 'cancelled', 'waiting']) {
    const first = name === 'waiting' ? { first: ids.draft } : {}
    const made = await onV1('POST', 'waybills', { title: name, ...first })
    ids[name] = made.body.id
  }
  await onV1('POST', `waybills/${ids.submitted}/submit`)
  await onV1('POST', `waybills/${ids.cancelled}/submit`)
  await onV1('POST', `waybills/${ids.cancelled}/cancel`)
})
codes.after(() => site?.close())

function onV1(method: string, path: string, json?: object): Promise<Answered> {
  const as = `Bearer ${site.test.keys.admin}`
  return site.call(method, `/v1/${path}`, { as, ...(json === undefined ? {} : { json }) })
}

const onA = (method: string, path: string, json?: object): Promise<Answered> =>
  site.call(method, `/api/resource/${path}`, json === undefined ? {} : { json })

/** One problem, by a request of each surface; without `a` surface A takes no notice of it. */
interface Case {
  readonly does: string
  readonly code: ProblemCode
  readonly field: string
  readonly v1: () => Promise<Answered>
  readonly status?: number
  readonly a?: () => Promise<Answered>
  readonly type?: string
}

/** A probe that both surfaces refuse alike. */
const probe = (
  does: string,
  body: object,
  [code, field, type = 'ValidationError']: readonly [
    code: ProblemCode,
    field: string,
    type?: string,
  ],
): Case => ({
  does,
  code,
  field,
  v1: () => onV1('POST', 'probes', body),
  a: () => onA('POST', 'Probe', body),
  type,
})

const CASES: readonly Case[] = [
  probe('a value is missing', {}, ['required', 'n', 'MandatoryError']),
  probe('a value is missing under a condition', { n: 95 }, [
    'required',
    'reason',
    'MandatoryError',
  ]),
  probe('a value of a row is missing', { n: 1, parts: [{ qty: 2 }] }, [
    'required',
    'parts[0].depot',
    'MandatoryError',
  ]),
  probe('a rule says that a value is missing, which was sent', { n: 7 }, ['rule', 'n']),
  probe('a rule speaks of an existing record', { n: 8 }, ['rule', 'depot']),
  probe('a rule speaks of what is cancelled', { n: 9 }, ['rule', 'waybill']),
  probe('a value is of another type', { n: 'three' }, ['wrong_type', 'n']),
  probe('a day is none', { n: 1, day: '2026-02-30' }, ['wrong_type', 'day']),
  probe('a text does not have its form', { n: 1, mark: 'ab' }, ['wrong_type', 'mark']),
  probe('a text is too long', { n: 1, mark: 'ABCD' }, ['out_of_range', 'mark']),
  probe('a number is too large', { n: 101 }, ['out_of_range', 'n']),
  probe('a number of a row is too small', { n: 1, parts: [{ depot: 'north', qty: 0.5 }] }, [
    'out_of_range',
    'parts[0].qty',
  ]),
  probe('a value is none of the options', { n: 1, kind: 'Moist' }, ['not_an_option', 'kind']),
  probe('a link names nothing', { n: 1, depot: 'nowhere' }, [
    'no_such_record',
    'depot',
    'LinkValidationError',
  ]),
  probe('a link of a row names nothing', { n: 1, parts: [{ depot: 'nowhere' }] }, [
    'no_such_record',
    'parts[0].depot',
    'LinkValidationError',
  ]),
  probe('rows are alike', { n: 1, parts: [{ depot: 'north' }, { depot: 'north' }] }, [
    'not_unique',
    'parts[1].depot',
  ]),
  probe('a value cannot be computed', { n: 1, divisor: 0 }, ['expression', 'share']),
  {
    does: 'a link names a cancelled document',
    code: 'cancelled_record',
    field: 'waybill',
    v1: () => onV1('POST', 'probes', { n: 1, waybill: ids.cancelled }),
    a: () => onA('POST', 'Probe', { n: 1, waybill: ids.cancelled }),
    type: 'CancelledLinkError',
  },
  {
    does: 'a document is submitted that names a draft',
    code: 'draft_record',
    field: 'first',
    v1: () => onV1('POST', `waybills/${ids.waiting}/submit`),
    a: () => onA('PUT', `Waybill/${ids.waiting}`, { docstatus: 1 }),
    type: 'ValidationError',
  },
  {
    does: 'a field is not there',
    code: 'unknown_field',
    field: 'colour',
    v1: () => onV1('POST', 'probes', { n: 1, colour: 'red' }),
  },
  {
    does: 'a parameter is not there',
    code: 'unknown_field',
    field: 'colour',
    v1: () => onV1('GET', 'probes?colour=red'),
  },
  {
    does: 'a parameter is out of its range',
    code: 'out_of_range',
    field: 'limit',
    v1: () => onV1('GET', 'probes?limit=1000'),
  },
  {
    does: 'a parameter is none of the options',
    code: 'wrong_type',
    field: 'kind',
    v1: () => onV1('GET', 'probes?kind=Moist'),
  },
  {
    does: 'a computed field is sent',
    code: 'read_only',
    field: 'share',
    v1: () => onV1('POST', 'probes', { n: 1, share: 3 }),
  },
  {
    does: 'a standard field is sent',
    code: 'read_only',
    field: 'created',
    v1: () => onV1('POST', 'probes', { n: 1, created: '2026-01-01' }),
  },
  {
    does: 'a field changes that is set on creation only',
    code: 'create_only',
    field: 'code',
    v1: () => onV1('PATCH', 'depots/north', { code: 'upper' }),
    a: () => onA('PUT', 'Depot/north', { code: 'upper' }),
    type: 'ValidationError',
  },
  {
    does: 'a name is taken',
    code: 'not_unique',
    field: 'code',
    status: 409,
    v1: () => onV1('POST', 'depots', { code: 'north' }),
    a: () => onA('POST', 'Depot', { code: 'north' }),
    type: 'DuplicateEntryError',
  },
  {
    does: 'a value that must be unique is taken',
    code: 'not_unique',
    field: 'badge',
    status: 409,
    v1: () => onV1('POST', 'depots', { code: 'west', badge: 1 }),
    a: () => onA('POST', 'Depot', { code: 'west', badge: 1 }),
    type: 'UniqueValidationError',
  },
  {
    does: 'a submitted document is submitted',
    code: 'wrong_state',
    field: 'docstatus',
    status: 409,
    v1: () => onV1('POST', `waybills/${ids.submitted}/submit`),
    a: () => onA('POST', `Waybill/${ids.submitted}?run_method=submit`),
    type: 'DocstatusTransitionError',
  },
  {
    does: 'others link to what is deleted',
    code: 'linked',
    field: 'near',
    status: 409,
    v1: () => onV1('DELETE', 'depots/north'),
    a: () => onA('DELETE', 'Depot/north'),
    type: 'LinkExistsError',
  },
]

for (const { does, code, field, v1, status = 422, a, type } of CASES) {
  codes(`${code}: ${does}`, async () => {
    const { body, ...answer } = await v1()
    assert.is(answer.status, status, JSON.stringify(body))
    const [detail] = body.error.details
    assert.equal([detail.field, detail.code], [field, code], JSON.stringify(detail))
    if (!a) return
    const said = (await a()).body
    assert.is(said.exc_type, type, said.exception)
    assert.equal([said.errors[0].field, said.errors[0].code], [field, code])
  })
}

codes(
  'is each answered by some request here, but what user permissions and rights of fields refuse',
  () => {
    const known = new Set<string>([
      ...CASES.map(({ code }) => code),
      'not_permitted',
      'role_needed',
    ])
    assert.equal([...known].sort(), Object.keys(PROBLEM_CODES).sort())
  },
)

codes('are those of the OpenAPI document', async () => {
  const { body } = await onV1('GET', 'openapi.json')
  const { code } = body.components.schemas.ErrorDetail.properties
  assert.equal(code.enum, Object.keys(PROBLEM_CODES))
})

codes.run()

import type {
  ChangeStep,
  CreatedRows,
  DocTypeDefinition,
  FillStep,
  PostedRows,
  PostStep,
  SetStep,
  UpdateStep,
} from '../../definition/model/definition.ts'
import type { ValueType } from '../../expression/tree/types.ts'
import type { Field } from '../../fields/field.ts'
import { compileEach } from './each.ts'
import {
  type ChangePlan,
  type FillPlan,
  type PostPlan,
  type RowsPlan,
  type SetPlan,
  type TablesPlan,
  UPDATED,
  type UpdatePlan,
} from './step-plans.ts'
import {
  assignmentsAt,
  at,
  complain,
  conditionAt,
  ruleAt,
  type StepSite,
  withVariable,
} from './step-site.ts'

const DATE: ValueType = { kind: 'date', scale: 0 }
const NAME: ValueType = { kind: 'str', scale: 0 }

/** Compiles `set`: fields of the document itself. */
export function compileSet(site: StepSite, step: SetStep): SetPlan {
  const { fields } = site.context.definition
  return {
    kind: 'set',
    if: conditionAt(site, step.if),
    set: assignmentsAt(at(site, 'set'), step.set, fields),
  }
}

/** Compiles `post`: rows of a ledger. */
export function compilePost(site: StepSite, step: PostStep): PostPlan | undefined {
  const ledger = site.context.registry.byDoctype(step.post)
  if (!ledger?.behaviour.ledger) {
    const message = `expected a DocType with \`ledger\`, got ${JSON.stringify(step.post)}`
    complain(site, ['post'], message)
    return undefined
  }
  const { date, rounding } = step
  return {
    kind: 'post',
    if: conditionAt(site, step.if),
    ledger,
    rows: step.rows.map((rows, index) => compileRows(at(site, 'rows', index), rows, ledger.fields)),
    date: date === undefined ? undefined : ruleAt(at(site, 'date'), date, DATE),
    rounding: rounding && {
      max: rounding.max,
      set: assignmentsAt(at(site, 'rounding', 'set'), rounding.set, ledger.fields),
    },
    together: step.together === true,
    before: [],
  }
}

/** Compiles `update`: fields of another record that nothing computes, or its submit. */
export function compileUpdate(outer: StepSite, step: UpdateStep): UpdatePlan | undefined {
  const { registry } = outer.context
  const doctype = registry.byDoctype(step.update)
  if (!doctype || doctype.isChild || !isWritten(doctype)) {
    const message = `expected a DocType whose records are written, got ${JSON.stringify(step.update)}`
    complain(outer, ['update'], message)
    return undefined
  }
  const { set: declared = {}, submit = false, repeat = false } = step
  const isIdle = step.set === undefined && step.rows === undefined && !submit
  if (step.record === undefined || isIdle) {
    complain(
      outer,
      ['update'],
      'needs `record` (which one), and `set`, `rows` or `submit` (what becomes of it)',
    )
    return undefined
  }
  if (step.rows !== undefined && outer.path[0] === 'effects')
    complain(outer, ['rows'], 'is for actions: a cancel could not tell which rows to take back')
  if (submit && !doctype.submittable) {
    complain(outer, ['submit'], `${doctype.doctype} is not submittable`)
    return undefined
  }
  const each = step.each === undefined ? undefined : compileEach(outer, step.each)
  if (step.each !== undefined && !each) return undefined
  if (repeat && (submit || step.rows || !each?.each.search)) {
    complain(outer, ['repeat'], 'is for an update of fields alone, for each that a query finds')
    return undefined
  }
  const site = each?.site ?? outer
  for (const name of Object.keys(declared)) {
    const why = whyFixed(doctype, name)
    if (why !== undefined) complain(site, ['set', name], `cannot be set: ${why}`)
  }
  const target = site.context.scopes.of(doctype).document.fields
  const inSet = at(withVariable(site, UPDATED, target), 'set')
  const [condition, record, set] = [
    conditionAt(outer, step.if),
    ruleAt(at(site, 'record'), step.record, NAME),
    assignmentsAt(inSet, declared, doctype.fields),
  ]
  const tables = compileTables(site, doctype, step.rows)
  const of = { if: condition, each: each?.each, doctype, set, tables, submit, repeat }
  return record && { kind: 'update', record, ...of }
}

/** Whether callers write its records: it is neither a ledger nor kept by one. */
function isWritten({ behaviour }: DocTypeDefinition): boolean {
  return behaviour.ledger === undefined && behaviour.upsertFrom === undefined
}

/** Reason why a field of an existing record keeps its value, beside the formulas and rollups that no step may set. */
function whyFixed(
  { fields, idField, behaviour }: DocTypeDefinition,
  name: string,
): string | undefined {
  if (name === idField) return 'records are named by it'
  if (behaviour.status?.derive && behaviour.status.field === name) return 'it is derived'
  const when = fields.find((field) => field.name === name)?.fetch?.when
  return when === undefined || when === 'empty' ? undefined : 'it is fetched'
}

/** Compiles `fill`: rows of a table of the document. */
export function compileFill(outer: StepSite, step: FillStep): FillPlan | undefined {
  const of = compileOwnRows(outer, 'fill', step.fill, step)
  return of && { kind: 'fill', ...of, keep: step.keep === true }
}

/** Compiles `change`: columns of rows of a table of the document, which it goes through. */
export function compileChange(outer: StepSite, step: ChangeStep): ChangePlan | undefined {
  const of = compileOwnRows(outer, 'change', step.change, step)
  if (!of) return undefined
  if (of.each.table === step.change) return { kind: 'change', ...of }
  complain(outer, ['each'], `expected its own table: ${step.change}`)
  return undefined
}

/** What steps over the rows of a table of the document have in common. */
function compileOwnRows(
  outer: StepSite,
  word: 'fill' | 'change',
  named: string,
  step: Pick<FillStep, 'each' | 'set' | 'if'>,
): Omit<ChangePlan, 'kind'> | undefined {
  const table = outer.context.definition.fields.find(({ name }) => name === named)
  if (!table?.child) {
    complain(outer, [word], `no table ${JSON.stringify(named)}`)
    return undefined
  }
  if (outer.path[0] === 'effects') {
    complain(outer, [word], 'is for actions: a submit leaves the rows as they are')
    return undefined
  }
  if (step.each === undefined || step.set === undefined) {
    complain(outer, [word], 'needs `each` (what rows are made of) and `set` (their fields)')
    return undefined
  }
  const each = compileEach(outer, step.each)
  if (!each) return undefined
  return {
    if: conditionAt(outer, step.if),
    each: each.each,
    table,
    set: assignmentsAt(at(each.site, 'set'), step.set, table.child.fields),
  }
}

/** Compiles the `rows` of a record: by its tables. */
export function compileTables(
  site: StepSite,
  { doctype, fields }: DocTypeDefinition,
  declared: UpdateStep['rows'] = {},
): TablesPlan {
  return Object.entries(declared).flatMap(([table, rows]) => {
    const field = fields.find(({ name }) => name === table)
    if (field?.child) return [compileTable(at(site, 'rows', table), field, rows)]
    complain(site, ['rows', table], `${doctype} has no table ${table}`)
    return []
  })
}

function compileTable(
  site: StepSite,
  field: Field,
  declared: CreatedRows | readonly CreatedRows[],
): TablesPlan[number] {
  const isList = Array.isArray(declared)
  const list: readonly CreatedRows[] = isList ? declared : [declared as CreatedRows]
  const { fields } = field.child!
  return {
    field,
    rows: list.map((one, index) => compileRows(isList ? at(site, index) : site, one, fields)),
  }
}

/** Compiles rows of a ledger or of a table, made once or for each of something. */
export function compileRows(
  outer: StepSite,
  rows: PostedRows | CreatedRows,
  fields: readonly Field[],
): RowsPlan {
  const each = rows.each === undefined ? undefined : compileEach(outer, rows.each, rows.as)
  const site = each?.site ?? outer
  const group = 'group' in rows ? rows.group : undefined
  for (const [index, name] of (group ?? []).entries()) {
    if (!Object.hasOwn(rows.set, name))
      complain(site, ['group', index], `set has no ${name} to group by`)
  }
  return {
    each: each?.each,
    if: conditionAt(site, rows.if),
    group,
    set: assignmentsAt(at(site, 'set'), rows.set, fields),
  }
}

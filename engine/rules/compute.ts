import { minorUnit } from '../base/currency.ts'
import type { Detail } from '../base/errors.ts'
import type { DocTypeDefinition } from '../definition/definition.ts'
import type { Registry } from '../definition/registry.ts'
import { assignValue } from '../expression/assign.ts'
import { ExpressionError } from '../expression/problem.ts'
import type { Environment } from '../expression/types.ts'
import type { Value } from '../fields/field-type.ts'
import { fieldType } from '../fields/index.ts'
import { type Doc, type Row, rowsOf, valueIn } from '../storage/document.ts'
import { type Checks, checksOf } from './checks.ts'
import { inDependencyOrder } from './graph.ts'
import { scopesOf, valueType } from './scopes.ts'
import { deriveStatus, type StatusRule, statusRule } from './status.ts'
import { type CompiledRule, type RuleProblem, ruleCompiler, type Step, stepsOf } from './steps.ts'

/** What a linked record says, for fetches; its tables are not loaded. */
export interface LinkedLookup {
  get(doctype: string, name: string): Doc | undefined
}

/** The moment and the person of one evaluation. */
export interface RuleEnvironment {
  readonly today: string
  readonly now: string
  readonly user: { readonly email: string; readonly name: string }
}

/**
 * The declared behaviour of one DocType, pure over the document and what it links to: defaults, fetched
 * values, formulas and derived status in the order of their dependencies, then the checks.
 */
export interface Rules {
  /** Links that values are fetched through: `customer`, `items.item_code`. */
  readonly fetchedLinks: ReadonlySet<string>
  environment(now: string, user: string): RuleEnvironment
  /** Fills fetches, formulas, defaults of what is new, and the status. Changes `doc` and its rows. */
  compute(
    doc: Doc,
    before: Doc | undefined,
    linked: LinkedLookup,
    environment: RuleEnvironment,
  ): readonly Detail[]
  /** What is missing or refused by `required`, `required_when`, `validate` and the status flow. */
  problems(doc: Doc, before: Doc | undefined, environment: RuleEnvironment): readonly Detail[]
}

/** Where fetched values come from. */
interface FetchSource {
  readonly linked: LinkedLookup
  readonly registry: Registry
  readonly definition: DocTypeDefinition
}

export interface CompiledRules {
  readonly rules: Rules
  readonly problems: readonly RuleProblem[]
}

/** Compiles a DocType's expressions. Every mistake is returned with its path; `rules` must not run then. */
export function compileRules(definition: DocTypeDefinition, registry: Registry): CompiledRules {
  const problems: RuleProblem[] = []
  const compile = ruleCompiler(problems)
  const scopes = scopesOf(definition)
  const declared = stepsOf(definition, scopes, compile)
  const status = statusRule(definition, scopes, compile)
  const ordered = inDependencyOrder<Step | StatusRule>(status ? [...declared, status] : declared)
  if (!ordered.ok) problems.push(cycleProblem(ordered.cycle, declared))
  const checks = checksOf(definition, scopes, compile)
  const steps = ordered.ok ? ordered.order : []
  return { rules: rulesOf(definition, registry, steps, checks), problems }
}

function cycleProblem(cycle: readonly string[], steps: readonly Step[]): RuleProblem {
  const [first = ''] = cycle
  const step = steps.find(({ path }) => cycle.includes(path))
  const key = step?.formula ? 'formula' : step?.initial ? 'default' : 'fetch'
  const path = step
    ? ['fields', ...(step.table === undefined ? [] : [step.table, 'fields']), step.field.name, key]
    : ['fields', first]
  const source = step?.field.formula ?? step?.field.default ?? ''
  return { path, source, offset: 0, message: `formula cycle: ${cycle.join(' -> ')}` }
}

function rulesOf(
  definition: DocTypeDefinition,
  registry: Registry,
  steps: readonly (Step | StatusRule)[],
  checks: Checks,
): Rules {
  const fetchedLinks = new Set(
    steps.flatMap((step) => ('field' in step && step.field.fetch ? [fetchedLink(step)] : [])),
  )
  return {
    fetchedLinks,
    environment: (now, user) => ({
      now,
      today: now.slice(0, 10),
      user: { email: user, name: user },
    }),
    compute(doc, before, linked, environment) {
      const failures: Detail[] = []
      for (const step of steps) {
        if ('states' in step) deriveStatus(step, doc, before, recordsFor(before, environment))
        else runStep(step, doc, before, { linked, registry, definition }, environment, failures)
      }
      return failures
    },
    problems: (doc, before, environment) =>
      checks.problems(doc, before, recordsFor(before, environment)),
  }
}

function recordsFor(before: Doc | undefined, { today, now, user }: RuleEnvironment): Environment {
  return { today, now, records: { old: before, user } }
}

function runStep(
  step: Step,
  doc: Doc,
  before: Doc | undefined,
  source: FetchSource,
  environment: RuleEnvironment,
  failures: Detail[],
): void {
  if (step.table === undefined) {
    fill(
      step,
      doc,
      doc,
      before === undefined,
      source,
      recordsFor(before, environment),
      step.path,
      failures,
    )
    return
  }
  const { today, now, user } = environment
  const oldRows = new Map(
    (before ? rowsOf(before, step.table) : []).map((row): [string, Row] => [row.row_id, row]),
  )
  for (const [index, row] of rowsOf(doc, step.table).entries()) {
    const old = oldRows.get(row.row_id)
    const records = { today, now, records: { parent: doc, old, user } }
    const path = `${step.table}[${index}].${step.field.name}`
    fill(step, row, doc, old === undefined, source, records, path, failures)
  }
}

/** Sets one cell: formula, else fetch, else default of something new. */
function fill(
  step: Step,
  cell: Doc | Row,
  doc: Doc,
  isNew: boolean,
  source: FetchSource,
  records: Environment,
  path: string,
  failures: Detail[],
): void {
  const { field } = step
  try {
    if (step.formula) {
      cell[field.name] = evaluate(step.formula, step, cell, doc, records)
      return
    }
    if (field.fetch && mayFetch(field.fetch.when, cell, field.name, doc))
      fetchInto(step, cell, source)
    if (isNew && (cell[field.name] ?? null) === null)
      cell[field.name] = initialValue(step, cell, doc, records)
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error
    failures.push({ field: path, message: error.message })
  }
}

function evaluate(
  rule: CompiledRule,
  step: Step,
  cell: Doc | Row,
  doc: Doc,
  records: Environment,
): Value {
  const value = rule.evaluate()(cell, records)
  const places = step.type.kind === 'money' ? minorUnit(currencyOf(step, cell, doc)) : undefined
  return assignValue(value, rule.expression, step.type, places)
}

/** The currency of an amount: the field it names, in the row or the document, else the document's `currency`. */
function currencyOf({ field }: Step, cell: Doc | Row, doc: Doc): string | null {
  const name = field.currencyField ?? 'currency'
  const value = cell[name] ?? doc[name] ?? null
  return typeof value === 'string' ? value : null
}

function initialValue(
  { field, initial, ...step }: Step,
  cell: Doc | Row,
  doc: Doc,
  records: Environment,
): Value {
  if (field.defaultValue !== undefined) return fieldType(field.type).read(field.defaultValue, field)
  return initial ? evaluate(initial, { field, initial, ...step }, cell, doc, records) : null
}

function fetchedLink({ table, field }: Step): string {
  const link = field.fetch?.link ?? ''
  return table === undefined ? link : `${table}.${link}`
}

/** `draft` (the default) follows the master while the document is a draft; a submitted one keeps what it had. */
function mayFetch(
  when: 'always' | 'empty' | 'draft',
  cell: Doc | Row,
  name: string,
  doc: Doc,
): boolean {
  if (when === 'always') return true
  if (doc.docstatus !== 0) return false
  return when === 'draft' || (cell[name] ?? null) === null
}

function fetchInto(
  { field, table, type }: Step,
  cell: Doc | Row,
  { linked, registry, definition }: FetchSource,
): void {
  const { link, field: fetched } = field.fetch!
  const fields =
    table === undefined
      ? definition.fields
      : (definition.fields.find(({ name }) => name === table)?.child?.fields ?? [])
  const through = fields.find(({ name }) => name === link)
  const name = cell[link] ?? null
  const doctype =
    through?.link ?? (through?.linkFrom === undefined ? undefined : cell[through.linkFrom])
  const master = typeof doctype === 'string' ? registry.byDoctype(doctype) : undefined
  const target = master && typeof name === 'string' ? linked.get(master.doctype, name) : undefined
  const origin = master && registry.fieldOf(master, fetched)
  const value = target ? valueIn(target, fetched) : null
  cell[field.name] = value === null || !origin ? null : assignValue(value, valueType(origin), type)
}

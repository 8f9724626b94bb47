import type { Detail } from '../../base/errors.ts'
import type { StatusDeclaration } from '../../definition/model/definition.ts'
import { ExpressionError } from '../../expression/tree/problem.ts'
import { OLD_PARENT, type Scope } from '../../expression/tree/scope.ts'
import { CONDITION, type Environment } from '../../expression/tree/types.ts'
import type { Field } from '../../fields/field.ts'
import { type Doc, type Row, rowsOf, valueIn } from '../../storage/database/document.ts'
import type { CompileContext, CompiledRule } from '../base/compiled-rule.ts'
import { conditionInWords } from '../base/condition-words.ts'
import {
  type LinkPath,
  linkPathsOf,
  linkRecords,
  ownLinksOf,
  type RuleReads,
} from '../base/reads.ts'
import { movedTo, type StatusRule } from '../cells/status.ts'
import {
  addInvalid,
  isTried,
  linksOfValidation,
  type Validation,
  validationsOf,
} from './validations.ts'

/** Checks that must hold of a document once it is computed. */
export interface Checks {
  /** Links the checks look through: `company`, `items.item_code`. */
  readonly linkPaths: readonly string[]
  problems(
    doc: Doc,
    before: Doc | undefined,
    reads: RuleReads,
    records: Environment,
    moves: boolean,
    changed?: ReadonlySet<string>,
  ): readonly Detail[]
  problemsOf(
    changed: ReadonlySet<string>,
    doc: Doc,
    before: Doc,
    reads: RuleReads,
    records: Environment,
  ): readonly Detail[]
  /** What is odd about the document and refuses nothing (`warn`). */
  warnings(
    doc: Doc,
    before: Doc | undefined,
    reads: RuleReads,
    records: Environment,
  ): readonly Detail[]
}

interface RequiredCheck {
  readonly field: Field
  readonly when: CompiledRule | undefined
  readonly paths: readonly LinkPath[]
  /** When it is required, as people say it. */
  readonly told: () => string | undefined
}

/** A table, and the columns that its rows need. */
interface RequiredColumns {
  readonly table: Field
  readonly required: readonly RequiredCheck[]
}

/** Compiles what must hold of a DocType's documents; `chosen` is its status. */
export function checksOf(context: CompileContext, chosen: StatusRule | undefined): Checks {
  const { definition, scopes } = context
  const moment = scopes.momentOf(definition)
  const required = requiredChecks(context, definition.fields, moment.document, ['fields'])
  const tables = definition.fields
    .filter((field) => field.child)
    .map((table) => ({
      table,
      required: requiredChecks(context, table.child!.fields, moment.rows.get(table.name)!, [
        'fields',
        table.name,
        'fields',
      ]),
    }))
  const declared = Map.groupBy(validationsOf(context), ({ isWarning }) => isWarning)
  const [validations = [], cautions = []] = [declared.get(false), declared.get(true)]
  const { status } = definition.behaviour
  const byItself = status?.moves && chosen
  const reading = validationsReading(validations)

  function problems(
    doc: Doc,
    before: Doc | undefined,
    reads: RuleReads,
    records: Environment,
    moves: boolean,
    /** Fields of which alone the validations are tried. */
    changed?: ReadonlySet<string>,
  ): readonly Detail[] {
    const found: Detail[] = []
    for (const check of required) addMissing(check, doc, reads, records, check.field.name, found)
    for (const table of tables) addMissingInRows(table, doc, before, reads, records, found)
    if (status?.flow && before && !moves && !goesByItself(byItself, doc, before, records))
      addFlowProblem(status, doc, before, found)
    if (found.length === 0)
      for (const check of changed ? reading(changed) : validations)
        if (isTried(check, doc, before)) addInvalid(check, doc, before, reads, records, found)
    return found
  }

  function problemsOf(
    changed: ReadonlySet<string>,
    doc: Doc,
    before: Doc,
    reads: RuleReads,
    records: Environment,
  ): readonly Detail[] {
    const found: Detail[] = []
    for (const check of validations) {
      if (!isTried(check, doc, before) || !readsSome(check, changed)) continue
      addInvalid(check, doc, before, reads, records, found)
    }
    return found
  }

  // Warnings read what they look through only where they are asked for.
  const linkPaths = [
    ...required.flatMap(({ paths }) => ownLinksOf(paths)),
    ...validations.flatMap(linksOfValidation),
    ...tables.flatMap(({ table, required: columns }) =>
      columns.flatMap(({ paths }) => ownLinksOf(paths).map((link) => `${table.name}.${link}`)),
    ),
  ]
  return { linkPaths, problems, problemsOf, warnings: warningsBy(cautions) }
}

/** Adds what the rows of one table lack: rows themselves, and columns that they need. */
function addMissingInRows(
  { table, required }: RequiredColumns,
  doc: Doc,
  before: Doc | undefined,
  reads: RuleReads,
  records: Environment,
  found: Detail[],
): void {
  const rows = rowsOf(doc, table.name)
  if (rows.length < table.child!.minRows) {
    found.push({
      field: table.name,
      message: `expected at least ${table.child!.minRows} row(s), got ${rows.length}`,
      code: 'out_of_range',
    })
  }
  if (required.length === 0) return
  const inRow = { ...records.records, parent: doc, [OLD_PARENT]: before }
  const rowRecords = { ...records, records: inRow }
  for (const [index, row] of rows.entries()) {
    for (const check of required) {
      const path = `${table.name}[${index}].${check.field.name}`
      addMissing(check, row, reads, rowRecords, path, found)
    }
  }
}

/** Finds the validations that read some of these fields, for a set of them once. */
function validationsReading(
  validations: readonly Validation[],
): (changed: ReadonlySet<string>) => readonly Validation[] {
  const known = new WeakMap<ReadonlySet<string>, readonly Validation[]>()
  return (changed) => {
    const found = known.get(changed) ?? validations.filter((check) => readsSome(check, changed))
    known.set(changed, found)
    return found
  }
}

function readsSome({ reads }: Validation, changed: ReadonlySet<string>): boolean {
  return reads.some((cell) => changed.has(cell))
}

/** What these checks say of a document: they refuse nothing. */
function warningsBy(cautions: readonly Validation[]): Checks['warnings'] {
  return (doc, before, reads, records) => {
    const found: Detail[] = []
    for (const check of cautions)
      if (isTried(check, doc, before)) addInvalid(check, doc, before, reads, records, found)
    return found
  }
}

function requiredChecks(
  { compile, registry }: CompileContext,
  fields: readonly Field[],
  scope: Scope,
  path: readonly string[],
): RequiredCheck[] {
  const checks: RequiredCheck[] = []
  for (const field of fields) {
    if (field.child) continue
    if (field.required) checks.push({ field, when: undefined, paths: [], told: () => undefined })
    else if (field.requiredWhen !== undefined) {
      const when = compile(field.requiredWhen, scope, CONDITION, [
        ...path,
        field.name,
        'required_when',
      ])
      const { requiredWhen } = field
      const told = (): string | undefined => conditionInWords(requiredWhen, { fields })
      if (when)
        checks.push({ field, when, paths: linkPathsOf(when.expression, fields, registry), told })
    }
  }
  return checks
}

function addMissing(
  { field, when, paths, told }: RequiredCheck,
  cell: Doc | Row,
  reads: RuleReads,
  environment: Environment,
  path: string,
  found: Detail[],
): void {
  if ((cell[field.name] ?? null) !== null) return
  if (when) {
    const records = { ...environment.records, ...linkRecords(paths, cell, reads) }
    try {
      if (when.evaluate()(cell, { ...environment, records }) !== true) return
    } catch (error) {
      if (!(error instanceof ExpressionError)) throw error
      found.push({ field: path, message: error.message, code: 'expression' })
      return
    }
  }
  const words = told()
  const message = words === undefined ? 'is required' : `is required when ${words}`
  found.push({ field: path, message, code: 'required' })
}

/** Whether a chosen status is where its conditions have just brought it. */
function goesByItself(
  rule: StatusRule | undefined,
  doc: Doc,
  before: Doc,
  environment: Environment,
): boolean {
  if (!rule) return false
  const { path } = rule
  try {
    const unmoved = { ...doc, [path]: valueIn(before, path) }
    return movedTo(rule, unmoved, before, environment) === valueIn(doc, path)
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error
    return false
  }
}

/** Adds a problem where a chosen status leaves the declared flow (rules.md §4.1). */
function addFlowProblem(
  { field, flow }: StatusDeclaration,
  doc: Doc,
  before: Doc,
  found: Detail[],
): void {
  const from = valueIn(before, field)
  const to = valueIn(doc, field)
  if (from === to || typeof from !== 'string') return
  const next = flow?.[from] ?? []
  if (typeof to === 'string' && next.includes(to)) return
  const possible = next.length === 0 ? 'it is final' : `from there it may become ${next.join(', ')}`
  const message = `cannot go from ${from} to ${to ?? 'nothing'}: ${possible}`
  found.push({ field, message, code: 'rule' })
}

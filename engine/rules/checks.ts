import type { Detail } from '../base/errors.ts'
import type { DocTypeDefinition, Field, StatusDeclaration } from '../definition/definition.ts'
import { ExpressionError } from '../expression/problem.ts'
import type { Environment } from '../expression/types.ts'
import { type Doc, type Row, rowsOf, valueIn } from '../storage/document.ts'
import type { DocTypeScopes } from './scopes.ts'
import type { CompiledRule, CompileRule } from './steps.ts'

/** What must hold of a document once it is computed. */
export interface Checks {
  problems(doc: Doc, before: Doc | undefined, records: Environment): readonly Detail[]
}

interface RequiredCheck {
  readonly field: Field
  readonly when: CompiledRule | undefined
}

interface ValidateCheck {
  readonly rule: CompiledRule
  readonly field: string
  readonly message: string
  readonly on: readonly ('create' | 'submit')[] | undefined
}

const CONDITION = { kind: 'bool', scale: 0 } as const

export function checksOf(
  definition: DocTypeDefinition,
  scopes: DocTypeScopes,
  compile: CompileRule,
): Checks {
  const required = requiredChecks(definition.fields, (field) =>
    compile(field.requiredWhen!, scopes.document, CONDITION, [
      'fields',
      field.name,
      'required_when',
    ]),
  )
  const tables = definition.fields
    .filter((field) => field.child)
    .map((table) => ({
      table,
      required: requiredChecks(table.child!.fields, (field) =>
        compile(field.requiredWhen!, scopes.rows.get(table.name)!, CONDITION, [
          'fields',
          table.name,
          'fields',
          field.name,
          'required_when',
        ]),
      ),
    }))
  const validations = validateChecks(definition, scopes, compile)
  const { status } = definition.behaviour

  function problems(doc: Doc, before: Doc | undefined, records: Environment): readonly Detail[] {
    const found: Detail[] = []
    for (const check of required) addMissing(check, doc, records, check.field.name, found)
    for (const { table, required: columns } of tables) {
      const rows = rowsOf(doc, table.name)
      if (rows.length < table.child!.minRows) {
        found.push({
          field: table.name,
          message: `expected at least ${table.child!.minRows} row(s), got ${rows.length}`,
        })
      }
      for (const [index, row] of rows.entries()) {
        const rowRecords = { ...records, records: { ...records.records, parent: doc } }
        for (const check of columns)
          addMissing(check, row, rowRecords, `${table.name}[${index}].${check.field.name}`, found)
      }
    }
    if (status?.flow && before) addFlowProblem(status, doc, before, found)
    if (found.length === 0)
      for (const check of validations) addInvalid(check, doc, before, records, found)
    return found
  }

  return { problems }
}

function requiredChecks(
  fields: readonly Field[],
  compileWhen: (field: Field) => CompiledRule | undefined,
): RequiredCheck[] {
  return fields
    .filter((field) => (field.required || field.requiredWhen !== undefined) && !field.child)
    .map((field) => ({ field, when: field.required ? undefined : compileWhen(field) }))
}

function addMissing(
  { field, when }: RequiredCheck,
  cell: Doc | Row,
  records: Environment,
  path: string,
  found: Detail[],
): void {
  if ((cell[field.name] ?? null) !== null) return
  if (when && when.evaluate()(cell, records) !== true) return
  found.push({
    field: path,
    message: when ? `is required when ${field.requiredWhen}` : 'is required',
  })
}

function validateChecks(
  definition: DocTypeDefinition,
  { document }: DocTypeScopes,
  compile: CompileRule,
): ValidateCheck[] {
  const checks: ValidateCheck[] = []
  for (const [index, { check, field, message, on }] of (
    definition.behaviour.validate ?? []
  ).entries()) {
    const rule = compile(check, document, CONDITION, ['validate', index, 'check'])
    if (rule) checks.push({ rule, field, message, on })
  }
  return checks
}

function addInvalid(
  { rule, field, message, on }: ValidateCheck,
  doc: Doc,
  before: Doc | undefined,
  records: Environment,
  found: Detail[],
): void {
  const submitting = doc.docstatus === 1 && before?.docstatus !== 1
  if (on && !(on.includes('create') && !before) && !(on.includes('submit') && submitting)) return
  if (doc.docstatus === 2) return
  try {
    if (rule.evaluate()(doc, records) !== true) found.push({ field, message })
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error
    found.push({ field, message: error.message })
  }
}

/** A chosen status moves along the declared flow only (rules.md §4.1). */
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
  found.push({ field, message: `cannot go from ${from} to ${to ?? 'nothing'}: ${possible}` })
}

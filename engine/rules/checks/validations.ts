import type { Detail } from '../../base/errors.ts'
import { once } from '../../base/once.ts'
import type { ValidationDeclaration } from '../../definition/model/definition.ts'
import { ExpressionError } from '../../expression/tree/problem.ts'
import { OLD_PARENT, type Scope } from '../../expression/tree/scope.ts'
import { CONDITION, type Environment } from '../../expression/tree/types.ts'
import { type Doc, type Row, rowsOf } from '../../storage/database/document.ts'
import { type CompileContext, type CompiledRule, readsOf } from '../base/compiled-rule.ts'
import { compileMessage, type Message, messageText, rulesOfMessage } from '../base/message.ts'
import {
  addLinksAsked,
  type LinkPath,
  linkPathsOf,
  linkRecords,
  ownLinksOf,
  type RuleReads,
} from '../base/reads.ts'
import { repeatedRows } from '../base/repeated-rows.ts'

/** A condition of `validate`, compiled (docs/doctypes/cookbook/validations.md). */
export interface Validation {
  /** Condition that must be true; undefined where rows must differ from each other. */
  readonly rule: CompiledRule | undefined
  /** Columns in which no two rows of the table may agree. */
  readonly unique: readonly string[]
  /** Table each of whose rows is checked; undefined for a condition of the document. */
  readonly each: string | undefined
  /** Links of the document that it looks through, and those of the row. */
  readonly paths: readonly LinkPath[]
  readonly rowPaths: readonly LinkPath[]
  readonly reads: readonly string[]
  readonly field: string
  readonly message: Message
  readonly during: ValidationDeclaration['during'] | undefined
  /** It is told by previews alone, and refuses nothing. */
  readonly isWarning: boolean
}

/** The declared conditions of a DocType in their order; mistakes go to the compiler of the context. */
export function validationsOf(context: CompileContext): readonly Validation[] {
  const { definition, registry, scopes, compile } = context
  const validations: Validation[] = []
  const rowScope = rowScopes(context)
  for (const [index, declared] of (definition.behaviour.validate ?? []).entries()) {
    const { check, unique = [], field, message, each, during, warn = false } = declared
    const columns = definition.fields.find(({ name }) => name === each)?.child?.fields
    if (each !== undefined && !columns) continue
    const scope = each === undefined ? scopes.momentOf(definition).document : rowScope(each)
    const rule =
      check === undefined
        ? undefined
        : compile(check, scope, CONDITION, ['validate', index, 'check'])
    const parts = compileMessage(context, message, scope, columns, ['validate', index, 'message'])
    if ((check !== undefined && !rule) || !parts) continue
    const rules = [rule ?? [], ...rulesOfMessage(parts)].flat()
    const rowPaths = columns
      ? rules.flatMap(({ expression }) => linkPathsOf(expression, columns, registry))
      : []
    const inRow = new Set(rowPaths.map((path) => path.field))
    const paths = rules
      .flatMap(({ expression }) => linkPathsOf(expression, definition.fields, registry))
      .filter((path) => !inRow.has(path.field))
    // Through a link it reads another record as soon as the link is another.
    const reads = [
      ...(rule ? readsOf(rule.expression, each) : []),
      ...unique.map((column) => `${each}.${column}`),
      ...ownLinksOf(paths),
      ...ownLinksOf(rowPaths).map((link) => `${each}.${link}`),
    ]
    const told = { field, message: parts, during, isWarning: warn }
    validations.push({ rule, unique, each, paths, rowPaths, reads, ...told })
  }
  return validations
}

/** Links a condition looks through, as `company` or `items.item_code`. */
export function linksOfValidation({ paths, rowPaths, each }: Validation): readonly string[] {
  return [...ownLinksOf(paths), ...ownLinksOf(rowPaths).map((link) => `${each}.${link}`)]
}

/**
 * Whether a check is tried in this write. A cancelled document need not hold, the cancel itself may be refused;
 * `during` limits a check to the writes it names.
 */
export function isTried({ during }: Validation, doc: Doc, before: Doc | undefined): boolean {
  if (doc.docstatus === 2) return before?.docstatus === 1 && during?.includes('cancel') === true
  const submitting = doc.docstatus === 1 && before?.docstatus !== 1
  return (
    !during || (during.includes('create') && !before) || (during.includes('submit') && submitting)
  )
}

/** Adds the problems a condition finds in the document, or in each of its rows: `items[2].qty`. */
export function addInvalid(
  check: Validation,
  doc: Doc,
  before: Doc | undefined,
  reads: RuleReads,
  environment: Environment,
  found: Detail[],
): void {
  const { each, unique, field, paths, rowPaths } = check
  if (each === undefined) {
    const records = { ...environment.records, ...linkRecords(paths, doc, reads) }
    addFalse(check, doc, { ...environment, records }, field, found)
    return
  }
  const olderRows = before ? rowsOf(before, each) : []
  const older = once(() => new Map(olderRows.map((row) => [row.row_id, row])))
  const rows = rowsOf(doc, each)
  const repeated = unique.length > 0 ? repeatedRows(rows, unique) : undefined
  for (const [index, row] of rows.entries()) {
    if (repeated && !repeated.has(index)) continue
    const there = olderRows[index]
    const old = there?.row_id === row.row_id ? there : older().get(row.row_id)
    // Most rows are right without a look through a link, so none is read before it is asked for.
    const records = { ...environment.records, old, parent: doc, [OLD_PARENT]: before }
    addLinksAsked(records, paths, doc, reads)
    addLinksAsked(records, rowPaths, row, reads)
    addFalse(check, row, { ...environment, records }, `${each}[${index}].${field}`, found)
  }
}

function addFalse(
  { rule, unique, message }: Validation,
  cell: Doc | Row,
  environment: Environment,
  field: string,
  found: Detail[],
): void {
  try {
    if (rule?.evaluate()(cell, environment) === true) return
    const text = messageText(message, cell, environment)
    found.push({ field, message: text, code: unique.length > 0 ? 'not_unique' : 'rule' })
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error
    found.push({ field, message: error.message, code: 'expression' })
  }
}

/** Scopes of the conditions of rows, each made once: the row's own fields and links, and the links of the document besides. */
function rowScopes({ definition, scopes }: CompileContext): (table: string) => Scope {
  const known = new Map<string, Scope>()
  return (table) => {
    const before = known.get(table)
    if (before) return before
    const { document, rows } = scopes.momentOf(definition)
    const row = rows.get(table)!
    const records = new Map([...document.records, ...row.records])
    const links = new Set([...(document.links ?? []), ...(row.links ?? [])])
    const scope = { ...row, records, links }
    known.set(table, scope)
    return scope
  }
}

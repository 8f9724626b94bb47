import { SYSTEM_ACTOR } from '../../access/actor.ts'
import { isoDateTime } from '../../base/clock.ts'
import type { Detail } from '../../base/errors.ts'
import type { DocTypeDefinition } from '../../definition/model/definition.ts'
import type { RuleEnvironment } from '../../rules/program/compute.ts'
import type { Db } from '../../storage/database/database.ts'
import { cloneDoc, type Doc, rowsOf, valueIn } from '../../storage/database/document.ts'
import { recordPages } from '../../storage/records/record-pages.ts'
import type { DocTypeParts, Services } from '../work/context.ts'
import { createReads } from '../work/reads.ts'
import {
  type CellDifference,
  type ComputedCells,
  cellDifferences,
  cellName,
  valueAt,
} from './verify-cells.ts'
import { type MadeSources, madeSourcesOf } from './verify-made.ts'
import { type Check, type Findings, findings, nothingWrong, shown } from './verify-report.ts'

/** Checks of what follows inside each document of a DocType. */
export interface RecordChecks {
  readonly computed: Check
  readonly stale: Check
  readonly validation: Check
  /** Formulas of submitted documents that an earlier definition has made, and the one of now would make otherwise. */
  readonly earlier: Check
}

/** Way of looking at many records. */
export interface Looking {
  /** Most differences of one check that are named. */
  readonly limit: number
  /** Moment (ISO) from which on they were written; undefined = all of them. */
  readonly from: string | undefined
  /** Called with the number of records of a page. */
  readonly onDocuments: (count: number) => void | Promise<void>
}

/** Whether documents of the DocType have anything to check by themselves. */
export function hasRecordChecks(definition: DocTypeDefinition, { cells }: ComputedCells): boolean {
  return cells.length > 0 || isValidated(definition)
}

function isValidated({ submittable, behaviour }: DocTypeDefinition): boolean {
  return submittable && (behaviour.validate ?? []).length > 0
}

/**
 * Checks formulas, derived statuses and validations of all records of a DocType, computed again from what is stored.
 * Records that differ are looked at once more under lock, so that writers beside us are no differences. It holds one
 * page of them at a time, however many there are.
 */
export async function checkRecords(
  services: Services,
  parts: DocTypeParts,
  computed: ComputedCells,
  { limit, from, onDocuments }: Looking,
): Promise<RecordChecks> {
  const { definition } = parts
  const { database } = services
  const [wrong, stale, refused, earlier] = [0, 1, 2, 3].map(() => findings(limit)) as [
    Findings,
    Findings,
    Findings,
    Findings,
  ]
  for await (const docs of recordPages(database.read, parts.store, from)) {
    await onDocuments(docs.length)
    const sources = await madeSourcesOf(database.read, services, computed, docs)
    const suspects = suspectsOf(services, computed, docs, sources)
    if (suspects.length > 0) {
      // A transaction may run again, so that it only returns what it saw.
      const judged = await database.write((tx) =>
        eachLocked(tx, parts, suspects, async (doc) => ({
          doc,
          ...judge(services, computed, doc, await madeSourcesOf(tx, services, computed, [doc])),
        })),
      )
      for (const { doc, differences, lagging, failures } of judged) {
        const about = { doctype: definition.doctype, id: doc.name }
        for (const one of differences) wrong.add({ ...about, ...described(one) })
        for (const one of lagging) stale.add({ ...about, ...described(one) })
        for (const { field, message } of failures)
          wrong.add({ ...about, field, stored: null, message })
      }
    }
    for (const [doc, one] of docs.flatMap((doc) => madeEarlier(services, computed, doc)))
      earlier.add({ doctype: definition.doctype, id: doc.name, ...described(one) })
    if (!isValidated(definition)) continue
    const submitted = docs.filter(({ docstatus }) => docstatus === 1)
    for (const { doc, field, message } of await violations(services, parts, computed, submitted)) {
      const value = definition.fields.find(({ name }) => name === field)
      const stored = value && !value.child ? shown(value, valueIn(doc, field)) : null
      refused.add({
        doctype: definition.doctype,
        id: doc.name,
        field,
        stored,
        message,
      })
    }
  }
  const names = namesOf(definition)
  return {
    computed: wrong.check('computed', names.computed),
    stale: stale.check('computed', names.computed),
    validation: refused.check('validation', names.validation),
    earlier: earlier.check('computed', names.earlier),
  }
}

/** Result of `checkRecords` where there are no records. */
export function noRecordsWrong(definition: DocTypeDefinition): RecordChecks {
  const names = namesOf(definition)
  const computed = nothingWrong('computed', names.computed)
  const validation = nothingWrong('validation', names.validation)
  return { computed, stale: computed, validation, earlier: computed }
}

function namesOf({
  doctype,
}: DocTypeDefinition): Record<keyof Omit<RecordChecks, 'stale'>, string> {
  return {
    computed: `${doctype}: formulas and status`,
    validation: `${doctype}: validate`,
    earlier: `${doctype}: made under an earlier definition`,
  }
}

/** The formulas of a document that it keeps from an earlier definition and that would be others by the one of now. */
function madeEarlier(
  services: Services,
  computed: ComputedCells,
  doc: Doc,
): readonly (readonly [Doc, CellDifference])[] {
  const { rules, cells } = computed
  const kept = rules.keptCells(doc, services.computedSince)
  if (kept.size === 0) return []
  const now = cloneDoc(doc)
  rules.recompute(now, doc, rules.environment(isoDateTime(services.clock), SYSTEM_ACTOR.name))
  const keptOnes = cells.filter(({ table, field }) =>
    kept.has(table === undefined ? field.name : `${table}.${field.name}`),
  )
  return cellDifferences(keptOnes, doc, now).map((one) => [doc, one] as const)
}

function described(one: CellDifference): { field: string; stored: unknown; expected: unknown } {
  const { field } = one.cell
  return {
    field: cellName(one),
    stored: shown(field, one.stored),
    expected: shown(field, one.expected),
  }
}

/** Names of the records in which something computed differs. */
export function suspectsOf(
  services: Services,
  computed: ComputedCells,
  docs: readonly Doc[],
  sources: MadeSources,
): readonly string[] {
  if (computed.cells.length === 0) return []
  const today = environmentAt(services, computed, isoDateTime(services.clock))
  return docs
    .filter((doc) => {
      const { after, failures } = recomputed(computed, doc, today, sources)
      return failures.length > 0 || cellDifferences(computed.cells, doc, after).length > 0
    })
    .map(({ name }) => name)
}

/** Locks each of these records in turn and looks at it with its rows; those that are gone are left out. */
export async function eachLocked<T>(
  tx: Db,
  { store }: DocTypeParts,
  names: readonly string[],
  look: (doc: Doc) => Promise<T>,
): Promise<readonly T[]> {
  const seen: T[] = []
  for (const name of names.toSorted()) {
    const doc = await store.lockWhole(tx, name, 'change')
    if (doc) seen.push(await look(doc))
  }
  return seen
}

export interface Judgement {
  /** Document as it should be. */
  readonly after: Doc
  readonly differences: readonly CellDifference[]
  /** Differences of values that were right on the day the document was last written. */
  readonly lagging: readonly CellDifference[]
  readonly failures: readonly Detail[]
}

export function judge(
  services: Services,
  computed: ComputedCells,
  doc: Doc,
  sources: MadeSources,
): Judgement {
  const { after, failures } = recomputed(
    computed,
    doc,
    environmentAt(services, computed, isoDateTime(services.clock)),
    sources,
  )
  const all = cellDifferences(computed.cells, doc, after)
  if (all.length === 0) return { after, differences: [], lagging: [], failures }
  const then = recomputed(
    computed,
    doc,
    environmentAt(services, computed, doc.modified),
    sources,
  ).after
  const isLagging = (one: CellDifference): boolean => valueAt(one, then) === one.stored
  return {
    after,
    differences: all.filter((one) => !isLagging(one)),
    lagging: all.filter(isLagging),
    failures,
  }
}

function environmentAt(
  { computedSince }: Services,
  { rules }: ComputedCells,
  now: string,
): RuleEnvironment {
  return rules.environment(now, SYSTEM_ACTOR.name, computedSince)
}

/** A document with its formulas and status computed again; cells that cannot be repeated stay as they are. */
function recomputed(
  { rules, cells, made }: ComputedCells,
  doc: Doc,
  environment: RuleEnvironment,
  sources: MadeSources,
): { readonly after: Doc; readonly failures: readonly Detail[] } {
  const computed = cloneDoc(doc)
  const failures = [...rules.recompute(computed, doc, environment)]
  const after = cloneDoc(doc)
  for (const { table, field } of cells) {
    if (table === undefined) after[field.name] = valueIn(computed, field.name)
    else
      for (const [index, row] of rowsOf(computed, table).entries())
        rowsOf(after, table)[index]![field.name] = row[field.name] ?? null
  }
  const tables = made.filter((table) => sources.canBeMade(table, doc)).map(({ name }) => name)
  const rows =
    tables.length === 0 ? undefined : rules.madeRows(doc, sources.reads, environment, tables)
  for (const table of tables) {
    const stored = rowsOf(after, table)
    const wanted = rows!.get(table) ?? []
    if (stored.length === wanted.length)
      for (const [index, values] of wanted.entries()) Object.assign(stored[index]!, values)
    else {
      const message = `has ${stored.length} rows; expected ${wanted.length}`
      failures.push({ field: table, message, code: 'rule' })
    }
  }
  return { after, failures }
}

/** Changed cells of a document of which all may have changed: every validation is tried. */
class EveryCell extends Set<string> {
  override has(): boolean {
    return true
  }
}

interface Violation extends Detail {
  readonly doc: Doc
}

/** Violations of `validate` as of today, reading what the documents link to as it is now. */
async function violations(
  services: Services,
  { definition }: DocTypeParts,
  { rules }: ComputedCells,
  docs: readonly Doc[],
): Promise<readonly Violation[]> {
  const { read } = services.database
  const reads = createReads(read, services, new Map())
  const environment = rules.environment(isoDateTime(services.clock), SYSTEM_ACTOR.name)
  for (const { name, link } of definition.fields) {
    const target = link === undefined ? undefined : services.registry.byDoctype(link)
    if (!target || !rules.checkedLinks.has(name)) continue
    const names = [...new Set(docs.map((doc) => valueIn(doc, name)))].filter(isText)
    if (names.length === 0) continue
    const found = await services.partsOf(target).store.findMany(read, names)
    for (const one of names) reads.cacheRead(target.doctype, one, found.get(one) ?? null)
  }
  for (;;) {
    const all = docs.flatMap((doc) =>
      rules
        .problemsOf(new EveryCell(), doc, doc, reads, environment)
        .map((detail) => ({ ...detail, doc })),
    )
    if (!(await reads.fill())) return all
  }
}

function isText(value: unknown): value is string {
  return typeof value === 'string'
}

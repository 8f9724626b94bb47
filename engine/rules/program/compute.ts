import type { Detail } from '../../base/errors.ts'
import { once } from '../../base/once.ts'
import type { DocTypeDefinition } from '../../definition/model/definition.ts'
import type { Registry } from '../../definition/model/registry.ts'
import type { Environment } from '../../expression/tree/types.ts'
import type { Value } from '../../fields/field-type.ts'
import type { Doc } from '../../storage/database/document.ts'
import type { ComputedSince } from '../../storage/migration/computed-columns.ts'
import {
  type Compiled,
  compileContext,
  type RuleProblem,
  type RuleSite,
} from '../base/compiled-rule.ts'
import { type GraphNode, inDependencyOrder } from '../base/graph.ts'
import { ownLinksOf, type RuleReads } from '../base/reads.ts'
import { type ComputedCell, computedCellsOf } from '../cells/computed-cell.ts'
import {
  fillMade,
  fillRows,
  isRefreshed,
  rowNumberer,
  startFilling,
  tablesOf,
} from '../cells/fill.ts'
import { madeRows } from '../cells/fill-call.ts'
import type { Filling } from '../cells/filling.ts'
import { hasNewRows, isOfDrafts } from '../cells/moment.ts'
import { ownLinks } from '../cells/own-links.ts'
import { rollupStarter } from '../cells/start-rollups.ts'
import { deriveStatus, type StatusRule, statusRule } from '../cells/status.ts'
import { takenLinks } from '../cells/taken-links.ts'
import { type Checks, checksOf } from '../checks/checks.ts'
import { followersAmong, type Like, startAlike } from './followers.ts'
import { hasOtherInput, type KeptCellsOf, keptCellsOf } from './kept-cells.ts'
import { NO_READS } from './no-reads.ts'

/** The moment and the person of one evaluation. */
export interface RuleEnvironment {
  readonly today: string
  readonly now: string
  readonly user: { readonly email: string; readonly name: string }
  /** Moments at which columns began to be computed as they are; without them all are computed as they are now. */
  readonly since?: ComputedSince
}

/** A new record that is like another one, computed. */
export interface Alike {
  readonly doc: Doc
  /** Fields in which it may differ from the other. */
  readonly changed: ReadonlySet<string>
  /** What is wrong with it, looked for in these fields alone. */
  readonly problems: readonly Detail[]
}

/**
 * The declared behaviour of one DocType, pure over the document and what it reads of others: defaults,
 * fetched values, look-ups, formulas and derived status in the order of their dependencies, then the checks.
 */
export interface Rules {
  /** Links whose records are read: `customer`, `items.item_code`. */
  readonly fetchedLinks: ReadonlySet<string>
  /** Links that the checks look through, in the same form. */
  readonly checkedLinks: ReadonlySet<string>
  /** Links that rules fill with what other links say (taken-links.ts). */
  readonly takenLinks: ReadonlySet<string>
  /** Links whose value, when rules fill it, belongs to what the record belongs to (own-links.ts). */
  readonly ownLinks: ReadonlySet<string>
  environment(now: string, user: string, since?: ComputedSince): RuleEnvironment
  /** Formulas of a document that stay as an earlier definition has made them: those of `recompute` and `compute` too. */
  readonly keptCells: KeptCellsOf
  /** Fills fetches, look-ups, formulas, defaults of what is new, and the status. Changes `doc` and its rows. */
  compute(
    doc: Doc,
    before: Doc | undefined,
    reads: RuleReads,
    environment: RuleEnvironment,
    /** Fields of the record for which nothing is proposed. */
    empty?: ReadonlySet<string>,
  ): readonly Detail[]
  /**
   * The same for a new record without tables that differs from another new one in a few values: what follows from none of
   * them is taken from there. `given` stays as it is.
   */
  computeLike(
    given: Doc,
    like: Like,
    reads: RuleReads,
    environment: RuleEnvironment,
    /** The fields in which they may have been given something else. */
    among: readonly string[],
  ): Alike
  /**
   * Formulas and status alone, after something else changed a stored value: nothing is read anew. With `changed` those
   * alone that follow from these fields.
   */
  recompute(
    doc: Doc,
    before: Doc,
    environment: RuleEnvironment,
    changed?: ReadonlySet<string>,
  ): readonly Detail[]
  /** These fields, and all that `recompute` may change where they do. */
  followingFrom(fields: ReadonlySet<string>): ReadonlySet<string>
  /** Made columns that a migration has just added (`items.item_code__is_stock_item`), from what there is now. */
  fillMade(
    doc: Doc,
    reads: RuleReads,
    environment: RuleEnvironment,
    added: ReadonlySet<string>,
  ): void
  /** Look-ups alone, where they find something: for a mirror row of another day. */
  refreshLookups(doc: Doc, reads: RuleReads, environment: RuleEnvironment): void
  /** Problems that `required`, `required_when`, `validate` and the status flow find. */
  problems(
    doc: Doc,
    before: Doc | undefined,
    reads: RuleReads,
    environment: RuleEnvironment,
    /** An action may move a chosen status off its flow. */
    moves?: boolean,
  ): readonly Detail[]
  /** Rows of these tables, which are made of others (`rows`), by table, as the record and what it names say them now. */
  madeRows(
    doc: Doc,
    reads: RuleReads,
    environment: RuleEnvironment,
    tables: readonly string[],
  ): ReadonlyMap<string, readonly Readonly<Record<string, Value>>[]>
  /** Problems of the `validate` checks that read one of these cells (`paid_amount`, `items.billed_qty`). */
  problemsOf(
    changed: ReadonlySet<string>,
    doc: Doc,
    before: Doc,
    reads: RuleReads,
    environment: RuleEnvironment,
  ): readonly Detail[]
  /** What `validate` checks with `warn` say of the record; they refuse nothing. */
  warnings(
    doc: Doc,
    before: Doc | undefined,
    reads: RuleReads,
    environment: RuleEnvironment,
  ): readonly Detail[]
}

export interface CompiledRules extends Compiled<Rules> {
  /** What follows from what inside a document: formulas and the status, in the order of their dependencies. */
  readonly nodes: readonly GraphNode[]
  /** All that is computed inside a document, in the same order: what explains where a value is from. */
  readonly cells: readonly (ComputedCell | StatusRule)[]
}

/** Compiles what a DocType computes and checks. */
export function compileRules(site: RuleSite): CompiledRules {
  const { definition, registry, scopes } = site
  const problems: RuleProblem[] = []
  const context = compileContext(site, problems)
  const declared = computedCellsOf(context)
  const status = statusRule(definition, scopes.of(definition), context.compile)
  const all = status ? [...declared, status] : declared
  const ordered = inDependencyOrder<ComputedCell | StatusRule>(all)
  if (!ordered.ok) problems.push(cycleProblem(ordered.cycle, declared))
  const cells = ordered.ok ? ordered.order : all
  const checks = checksOf(context, status)
  const taken = once(() => takenLinks(definition, registry, declared))
  const own = once(() => ownLinks(definition, registry, declared))
  const plan = rulesOf(definition, registry, cells, checks, { taken, own })
  return { plan, nodes: cells.filter(isFollowed), cells, problems }
}

/** Whether a cell follows every change: a formula or status. The rest is taken when the document itself is written. */
function isFollowed(cell: ComputedCell | StatusRule): boolean {
  return 'states' in cell || cell.formula !== undefined
}

function cycleProblem(cycle: readonly string[], cells: readonly ComputedCell[]): RuleProblem {
  const [first = ''] = cycle
  // Of what the loader has made, the file says nothing.
  const cell = cells.find(({ path, field }) => cycle.includes(path) && !field.made)
  const key = cell?.formula ? 'formula' : cell?.initial ? 'default' : 'fetch'
  const told = cycle.map((one) => toldPath(one, cells))
  const path = cell
    ? ['fields', ...(cell.table === undefined ? [] : [cell.table, 'fields']), cell.field.name, key]
    : ['fields', first]
  const source = cell?.field.formula ?? cell?.field.default ?? ''
  return { path, source, offset: 0, message: `formula cycle: ${told.join(' -> ')}` }
}

/** A cell as its author says it: `items.bin.actual_qty` of a column that the loader has made. */
function toldPath(path: string, cells: readonly ComputedCell[]): string {
  const cell = cells.find((one) => one.path === path)
  const made = cell?.field.made
  if (!made) return path
  return cell.table === undefined ? made.path : `${cell.table}.${made.path}`
}

function rulesOf(
  definition: DocTypeDefinition,
  registry: Registry,
  cells: readonly (ComputedCell | StatusRule)[],
  checks: Checks,
  links: { readonly taken: () => ReadonlySet<string>; readonly own: () => ReadonlySet<string> },
): Rules {
  const followed = cells.filter(isFollowed)
  const keptCells = keptCellsOf(definition, followed)
  const lookups = lookupsAmong(cells)
  const made = madeTables(cells)
  const cellsFor = cellsToFill(definition, cells)
  const begin = beginner(definition)
  const followedFrom = followersAmong(followed)
  const checkedLinks = new Set(checks.linkPaths)
  const fetchedLinks = new Set([...cells.flatMap(linksOf), ...checkedLinks])

  function run(
    chosen: readonly (ComputedCell | StatusRule)[],
    doc: Doc,
    before: Doc | undefined,
    reads: RuleReads,
    environment: RuleEnvironment,
    empty?: ReadonlySet<string>,
  ): readonly Detail[] {
    const records = recordsFor(before, environment)
    const filling = startFilling(registry, reads, doc, before, records, empty)
    const kept = before && keptCells(before, environment.since)
    for (const cell of chosen) {
      if (kept?.has(cell.path) && !hasOtherInput(cell, doc, before!)) continue
      if ('states' in cell) {
        const problem = deriveStatus(cell, doc, before, records)
        if (problem !== undefined)
          filling.failures.push({ field: cell.path, message: problem, code: 'expression' })
      } else fillRows(filling, cell)
    }
    return filling.failures
  }

  return {
    fetchedLinks,
    checkedLinks,
    get takenLinks() {
      return links.taken()
    },
    get ownLinks() {
      return links.own()
    },
    environment: environmentOf,
    keptCells,
    compute(doc, before, reads, environment, empty) {
      begin(doc, before)
      return run(cellsFor(doc, before), doc, before, reads, environment, empty)
    },
    computeLike: alikeBy(followersAmong(cells), run, checks),
    recompute: (doc, before, environment, changed) =>
      run(
        changed ? followedFrom([...changed]).cells : followed,
        doc,
        before,
        NO_READS,
        environment,
      ),
    followingFrom: (fields) => followedFrom([...fields]).changed,
    fillMade(doc, reads, environment, added) {
      fillAdded(startFilling(registry, reads, doc, doc, recordsFor(doc, environment)))(cells, added)
    },
    refreshLookups: (doc, reads, environment) =>
      refresh(lookups, doc, reads, recordsFor(undefined, environment)),
    madeRows(doc, reads, environment, tables) {
      const records = recordsFor(undefined, environment)
      return new Map(
        made
          .filter(({ cell }) => tables.includes(cell.field.name))
          .map(({ cell, call }) => [cell.field.name, madeRows(cell, call, doc, records, reads)]),
      )
    },
    ...checksIn(checks),
  }
}

/** Looks up anew what its own fields take, and keeps what is no longer found. */
function refresh(
  cells: readonly ComputedCell[],
  doc: Doc,
  reads: RuleReads,
  records: Environment,
): void {
  for (const cell of cells) {
    if (cell.table !== undefined || !isRefreshed(cell)) continue
    const value = cell.lookup!.value(doc, records, reads)
    if (value !== null) doc[cell.field.name] = value
  }
}

/** Computes what is like another record: what follows from what it was given, and the checks that read that. */
function alikeBy(
  following: ReturnType<typeof followersAmong>,
  run: (
    chosen: readonly (ComputedCell | StatusRule)[],
    doc: Doc,
    before: undefined,
    reads: RuleReads,
    environment: RuleEnvironment,
  ) => readonly Detail[],
  checks: Checks,
): Rules['computeLike'] {
  return (given, like, reads, environment, among) => {
    const { doc, cells, changed } = startAlike(given, like, among, following)
    const failures = run(cells, doc, undefined, reads, environment)
    const records = recordsFor(undefined, environment)
    const problems = checks.problems(doc, undefined, reads, records, false, changed)
    return { doc, changed, problems: [...failures, ...problems] }
  }
}

/** The checks of a document, each with what an expression looks into. */
function checksIn(checks: Checks): Pick<Rules, 'problems' | 'problemsOf' | 'warnings'> {
  return {
    problems: (doc, before, reads, environment, moves = false) =>
      checks.problems(doc, before, reads, recordsFor(before, environment), moves),
    problemsOf: (changed, doc, before, reads, environment) =>
      checks.problemsOf(changed, doc, before, reads, recordsFor(before, environment)),
    warnings: (doc, before, reads, environment) =>
      checks.warnings(doc, before, reads, recordsFor(before, environment)),
  }
}

function environmentOf(now: string, user: string, since?: ComputedSince): RuleEnvironment {
  const today = now.slice(0, 10)
  return { now, today, user: { email: user, name: user }, ...(since && { since }) }
}

/** What makes a document ready to be filled: its rows are numbered, the rollups of what is new begin. */
function beginner(definition: DocTypeDefinition): (doc: Doc, before: Doc | undefined) => void {
  const numberRows = rowNumberer(definition)
  const startRollups = rollupStarter(definition)
  return (doc, before) => {
    numberRows(doc)
    startRollups(doc, before)
  }
}

function lookupsAmong(cells: readonly (ComputedCell | StatusRule)[]): readonly ComputedCell[] {
  return cells.filter((cell): cell is ComputedCell => 'field' in cell && cell.lookup !== undefined)
}

/** The cells that a write may fill: those of drafts are passed over when what was there before is submitted. */
function cellsToFill(definition: DocTypeDefinition, all: readonly (ComputedCell | StatusRule)[]) {
  const kept = all.filter((cell) => 'states' in cell || !isOfDrafts(cell))
  const tables = tablesOf(definition)
  return (doc: Doc, before: Doc | undefined) =>
    before && doc.docstatus !== 0 && !hasNewRows(tables, doc, before) ? kept : all
}

/** Tables made of other rows of the record, or within what these name. */
function madeTables(cells: readonly (ComputedCell | StatusRule)[]) {
  return cells.flatMap((cell) =>
    'field' in cell && cell.call && cell.field.rows ? [{ cell, call: cell.call }] : [],
  )
}

/** Fills the made columns among these cells that were added. */
function fillAdded(filling: Filling) {
  return (cells: readonly (ComputedCell | StatusRule)[], added: ReadonlySet<string>): void => {
    for (const cell of cells)
      if ('field' in cell && cell.field.made && added.has(cell.path)) fillMade(filling, cell)
  }
}

function linksOf(cell: ComputedCell | StatusRule): readonly string[] {
  if ('states' in cell) return []
  const links = [...ownLinksOf(cell.initialPaths)]
  if (cell.field.fetch) links.push(cell.field.fetch.link)
  return links.map((link) => (cell.table === undefined ? link : `${cell.table}.${link}`))
}

function recordsFor(before: Doc | undefined, { today, now, user }: RuleEnvironment): Environment {
  return { today, now, records: { old: before, user } }
}

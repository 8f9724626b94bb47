import { ROW_MACROS } from '../../expression/syntax/check-rows.ts'
import type { Parse, Syntax } from '../../expression/syntax/parse.ts'
import { ExpressionProblem } from '../../expression/tree/problem.ts'
import type { Place, Site } from './sites.ts'

/** Path of an expression into what a record links to or finds: `['item_code', 'is_stock_item']` of a row of items. */
export interface ReadPath {
  readonly place: Place
  readonly steps: readonly string[]
  /** Whether it begins with a name of the own record: at this moment its links are followed as they are now. */
  readonly isOwn: boolean
}

/** Names that something is read of: `a` and `b` of `a.b.c`. */
const HEADS = /[a-z_]\w*(?=\s*\.\s*[a-z_])/gi

/** Whether an expression may look behind one of these names; most do not, and need not be read. */
export function mayLookBehind(source: string, names: ReadonlySet<string>): boolean {
  return source.match(HEADS)?.some((name) => names.has(name)) ?? false
}

/** The paths of an expression with two names or more; none of one that is wrong, which is told when it is compiled. */
export function pathsOf(
  site: Site,
  parse: Parse,
  tablesOf: (place: Place, name: string) => boolean,
): ReadPath[] {
  const paths: ReadPath[] = []
  try {
    collect(parse(site.source), { site, tablesOf, paths, rows: site.rows })
  } catch (error) {
    if (!(error instanceof ExpressionProblem)) throw error
  }
  return paths
}

interface Collecting {
  readonly site: Site
  /** Whether a name is a table of the documents there. */
  readonly tablesOf: (place: Place, name: string) => boolean
  readonly paths: ReadPath[]
  readonly rows: Site['rows']
}

function collect(syntax: Syntax, at: Collecting): void {
  if (syntax.op === 'call') collectCall(syntax, at)
  else if (syntax.op === 'member') {
    const names = namesOf(syntax)
    const path = names && placed(names, at)
    if (path && path.steps.length > 1) at.paths.push(path)
  } else for (const part of partsOf(syntax)) collect(part, at)
}

function partsOf(syntax: Syntax): readonly Syntax[] {
  switch (syntax.op) {
    case 'unary':
      return [syntax.value]
    case 'binary':
      return [syntax.left, syntax.right]
    case 'choose':
      return [syntax.when, syntax.yes, syntax.no]
    case 'list':
      return syntax.items
    default:
      return []
  }
}

function collectCall(call: Extract<Syntax, { op: 'call' }>, at: Collecting): void {
  const [variable, ...bodies] = call.args
  const rows = call.receiver && isMacro(call.name) ? rowsOf(call.receiver, at) : undefined
  if (call.receiver) collect(call.receiver, at)
  if (rows && variable?.op === 'name')
    for (const body of bodies)
      collect(body, { ...at, rows: new Map(at.rows).set(variable.name, rows) })
  else for (const arg of call.args) collect(arg, at)
}

function isMacro(name: string): boolean {
  return ROW_MACROS.some((macro) => macro === name)
}

/** The rows at the start of a chain of macros: `items`, `parent.items`. */
function rowsOf(syntax: Syntax, at: Collecting): Place | undefined {
  if (syntax.op === 'call')
    return syntax.receiver && isMacro(syntax.name) ? rowsOf(syntax.receiver, at) : undefined
  const names = namesOf(syntax)
  const path = names && placed(names, at)
  const [table] = path?.steps ?? []
  if (path?.steps.length !== 1 || table === undefined) return undefined
  const { doctype } = path.place
  return path.place.table === undefined && at.tablesOf(path.place, table)
    ? { doctype, table }
    : undefined
}

function namesOf(syntax: Syntax): readonly string[] | undefined {
  if (syntax.op === 'name') return [syntax.name]
  if (syntax.op !== 'member') return undefined
  const before = namesOf(syntax.of)
  return before && [...before, syntax.name]
}

/** Names as steps from a record of the workspace's own; undefined for those of other records. */
function placed(names: readonly string[], { site, rows }: Collecting): ReadPath | undefined {
  const { place, kind } = site
  const [head = '', ...rest] = names
  if (rows.has(head)) {
    const row = rows.get(head)
    return row && { place: row, steps: rest, isOwn: false }
  }
  if (head === 'this') return kind === 'search' ? { place, steps: rest, isOwn: false } : undefined
  if (head === 'old' && kind !== 'search') return { place, steps: rest, isOwn: false }
  if (head === 'parent' && place.table !== undefined)
    return { place: { ...place, table: undefined }, steps: rest, isOwn: false }
  return kind === 'search' ? undefined : { place, steps: names, isOwn: true }
}

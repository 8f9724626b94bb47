import type { Expression } from '../../expression/expression.ts'
import { ROW_MACROS } from '../../expression/syntax/check-rows.ts'
import { namesRead } from '../../expression/tree/analyse.ts'
import type { Range } from '../../expression/tree/types.ts'
import { isPublic } from '../../fields/public-fields.ts'
import type { Services } from '../work/context.ts'
import { pathOf } from './cell.ts'
import {
  fetchedName,
  foundName,
  ITSELF,
  type Level,
  lookupName,
  type NamedField,
  namedField,
} from './names.ts'
import { computedCell } from './scene.ts'

/**
 * Words before the names of an expression that stands in another one: `i.` before those of a row that is `i` there, and
 * in the place of its `parent.`.
 */
interface Standing {
  readonly own: string
  readonly parent: string
}

/** An expression inside others. */
interface Inside {
  /** Expressions that it stands in: one that reads what it was before (`old.x`) is said once. */
  readonly within: readonly Expression[]
  /** Undefined where it stands as it is written. */
  readonly standing?: Standing
}

/** A name in the text of an expression. */
interface Written {
  /** Range of it with the words before its dots. */
  readonly place: Range
  /** The words before: `i.`, `parent.`, `company.`. */
  readonly before: string
  readonly path: string
  readonly named: NamedField
}

/**
 * The text of an expression, internal fields in it replaced by what they stand for: `rows.sum(r, r.hidden)` is
 * `rows.sum(r, (r.qty * r.rate))` where the formula of `hidden` is `qty * rate`.
 */
export function publicText(
  services: Services,
  level: Level,
  expression: Expression,
  inside: Inside = { within: [] },
): string {
  const { within, standing } = inside
  if (within.includes(expression)) return '…'
  const { source, tree, conditions } = expression
  if (conditions)
    return conditions.map((one) => publicText(services, level, one, inside)).join(' && ')
  const names = namesRead(tree).flatMap((read) => {
    const named = namedField(services.registry, level, read.path)
    return named ? [{ ...read, named, isHidden: isHidden(named) }] : []
  })
  let text = source
  const done = new Set<number>()
  // From the end, so that what stands before stays where it is; of several names of a `let` the hidden one is told.
  const inTurn = names.toSorted(
    (a, b) => b.at[0] - a.at[0] || Number(b.isHidden) - Number(a.isHidden),
  )
  for (const { at, path, isTable, named, isHidden } of inTurn) {
    if (isTable || done.has(at[0])) continue
    done.add(at[0])
    const written = writtenAt(text, at, path, named)
    const told = isHidden
      ? standIn(services, named, {
          within: [...within, expression],
          standing: standingOf(level, written, standing),
        })
      : nameIn(text, written, standing)
    const [start, end] = written.place
    text = text.slice(0, start) + told + text.slice(end)
  }
  const tables = names.filter(({ isTable }) => isTable)
  return tables.reduce((all, table) => withTable(all, table, standing), text)
}

/** A text with a table as it is named where the text stands; a hidden one has no name. */
function withTable(
  text: string,
  { path, named, isHidden }: { path: string; named: NamedField; isHidden: boolean },
  standing?: Standing,
): string {
  if (isHidden) return text.replaceAll(new RegExp(`\\b${named.field.name}\\b`, 'g'), '…')
  if (!standing) return text
  const name = path.replaceAll('.', '\\.')
  const beforeMacro = new RegExp(`(?<![\\w.])${name}(?=\\.(?:${ROW_MACROS.join('|')})\\()`, 'g')
  return text.replaceAll(beforeMacro, placed(path, standing))
}

function isHidden({ field, table, through }: NamedField): boolean {
  return [field, table, through].some((one) => one !== undefined && !isPublic(one))
}

/**
 * Where a field is named, with what is before its dot (`i.amount`): a test such as `has(x)` has a place around it. What
 * the loader made a column for is written as a path, whose place may be that of its last word.
 */
function writtenAt(text: string, [from, to]: Range, path: string, named: NamedField): Written {
  const { field } = named
  const name = field.made?.path ?? field.name
  const at = text.slice(0, to).lastIndexOf(name)
  if (at < 0 || (at < from && !field.made)) return { place: [from, to], before: '', path, named }
  const before = /(?:\w+\.)+$/.exec(text.slice(0, at))?.[0] ?? ''
  return { place: [at - before.length, at + name.length], before, path, named }
}

/** The name of a public field where its expression stands in another one. */
function nameIn(
  text: string,
  { place, before, path, named }: Written,
  standing?: Standing,
): string {
  const said = text.slice(...place)
  // Another name is that of a `let`, which stands as it is; what is behind a variable has it already.
  if (!standing || said !== before + named.field.name || said !== path) return said
  return placed(said, standing)
}

/** A path of an expression by the words that it takes where the expression stands. */
function placed(path: string, { own, parent }: Standing): string {
  const [head = ''] = path.split('.')
  if (head === 'parent' && path !== head) return parent + path.slice('parent.'.length)
  return ITSELF.has(head) && path !== head ? path : own + path
}

/** Words before the names of a hidden field's own expression, where its name is replaced by it. */
function standingOf(level: Level, written: Written, standing?: Standing): Standing {
  const { before, path, named } = written
  const here = standing ?? { own: '', parent: level.seeker ? 'document.' : 'parent.' }
  const owner = path.slice(0, path.length - named.field.name.length)
  const isVariable = before !== owner && before !== ''
  const own = standing && !isVariable ? placed(before, standing) : before
  const { table } = named
  if (!table) return { own, parent: here.parent }
  if (!owner.endsWith(`${table.name}.`)) {
    const isSeeker = owner === 'this.'
    return { own, parent: isSeeker ? 'parent.' : here.parent }
  }
  const head = owner.slice(0, -table.name.length - 1)
  return { own, parent: head === '' ? here.own : head === 'parent.' ? here.parent : head }
}

/** Text for an internal field: its formula, or what it was taken from. */
function standIn(services: Services, named: NamedField, inside: Required<Inside>): string {
  const { field, table, definition, through } = named
  if (through && !isPublic(through)) return '…'
  const { formula, fetch, lookup, rollup, call } = field
  const { registry } = services
  if (formula !== undefined) {
    const rule = computedCell(services, definition, pathOf({ field, ...(table ? { table } : {}) }))
    const shown =
      rule?.formula && publicText(services, { definition, table }, rule.formula.expression, inside)
    return `(${shown ?? '…'})`
  }
  if (rollup) return foundName(registry, rollup.from, rollup.value)
  if (lookup) {
    const name = lookupName(registry, lookup)
    return lookup.from === undefined ? placed(name, inside.standing) : name
  }
  if (fetch) {
    const name = fetchedName(registry, { field, table, definition })
    return name === '…' ? name : placed(name, inside.standing)
  }
  return call?.hook ?? '…'
}

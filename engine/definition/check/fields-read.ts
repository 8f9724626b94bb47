import type { Field, Find } from '../../fields/field.ts'
import type { DocTypeDefinition } from '../model/definition.ts'

/** A field that an expression depends on: of the DocType itself, or (`isElsewhere`) of another one. */
export interface ReadField {
  readonly definition: DocTypeDefinition
  readonly table: Field | undefined
  readonly field: Field
  readonly isElsewhere: boolean
}

/** Where DocTypes are looked up by their names. */
export interface Drafts {
  definitionOf(doctype: string): DocTypeDefinition | undefined
}

/**
 * Fields that an expression over a record, or over a row of it, depends on, each once: those it names, also behind links
 * and in what is found, and those that these are computed and taken from. Rollups and hooks are not followed.
 */
export function fieldsReadBy(
  world: Drafts,
  definition: DocTypeDefinition,
  text: string,
  table?: Field,
): readonly ReadField[] {
  const following: Following = { world, found: new Map() }
  follow(following, { definition, table, isElsewhere: false }, text)
  return [...following.found.values()]
}

/**
 * Fields that a computed or fetched field is made of, as `fieldsReadBy`; one that says itself who may read it is not
 * looked behind.
 */
export function fieldsBehind(
  world: Drafts,
  definition: DocTypeDefinition,
  field: Field,
  table?: Field,
): readonly ReadField[] {
  const following: Following = { world, found: new Map(), endsAtReaders: true }
  followSource(following, { definition, table, isElsewhere: false }, field)
  return [...following.found.values()]
}

/** The expression with empty texts in place of those it has. */
export function withoutTexts(expression: string): string {
  return expression.replaceAll(/"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'/g, '""')
}

interface Following {
  readonly world: Drafts
  readonly found: Map<string, ReadField>
  /** Whether fields with readers of their own are followed no further. */
  readonly endsAtReaders?: true
}

/** Record, or row of one, that an expression is over. */
interface Level {
  readonly definition: DocTypeDefinition
  readonly table: Field | undefined
  readonly isElsewhere: boolean
  /** Level of what searches: `this` and `parent` of a condition over what is found. */
  readonly seeker?: Level
}

const NAMES = /[a-z_]\w*(?:\.[a-z_]\w*)*/gi
const ROWS = /\b([a-z_]\w*)\.\w+\(\s*([a-z_]\w*)\s*,/gi

function follow(following: Following, level: Level, written: string): void {
  const text = withoutTexts(written)
  const rows = new Map([...text.matchAll(ROWS)].map(([, table, as]) => [as, table]))
  for (const [path] of text.matchAll(NAMES)) {
    const [head = '', ...rest] = path.split('.')
    const table = rows.get(head)
    followPath(following, level, table === undefined ? [head, ...rest] : [table, ...rest])
  }
}

function followPath(following: Following, level: Level, [head = '', ...rest]: string[]): void {
  const { definition, table, seeker } = level
  const owner = table?.child ?? definition
  const find = owner.finds?.find(({ name }) => name === head)
  const field = owner.fields.find(({ name }) => name === head)
  if (head === 'this' && seeker) followPath(following, seeker, rest)
  else if (head === 'old' && rest.length > 0) followPath(following, level, rest)
  else if (head === 'parent' || head === 'document')
    followPath(following, { ...(seeker ?? level), table: undefined }, rest)
  else if (find) followFind(following, level, find, rest)
  else if (field) {
    followField(following, level, field)
    if (field.child) followPath(following, { ...level, table: field }, rest)
    else followLink(following, field, rest)
  }
}

function followLink(following: Following, { link }: Field, rest: string[]): void {
  const target = link === undefined ? undefined : following.world.definitionOf(link)
  if (!target || rest.length === 0) return
  followPath(following, { definition: target, table: undefined, isElsewhere: true }, rest)
}

function followFind(following: Following, level: Level, find: Find, rest: string[]): void {
  const target = elsewhere(following, find.from)
  if (!target) return
  for (const text of [find.match, ...Object.values(find.equals ?? {})])
    if (text !== undefined) follow(following, level, text)
  for (const name of Object.keys(find.equals ?? {})) followPath(following, target, [name])
  for (const text of [find.where ?? []].flat())
    follow(following, { ...target, seeker: level }, text)
  followPath(following, target, rest)
}

function elsewhere({ world }: Following, from: string): Level | undefined {
  const [doctype = '', name] = from.split('.')
  const definition = world.definitionOf(doctype)
  const table = definition?.fields.find((field) => field.name === name)
  return definition && { definition, table, isElsewhere: true }
}

/** Notes a field, and goes on to what a computed one is taken from. */
function followField(following: Following, level: Level, field: Field): void {
  const { definition, table, isElsewhere } = level
  const place = [definition.doctype, table?.name, field.name].join('\0')
  if (following.found.has(place)) return
  following.found.set(place, { definition, table, field, isElsewhere })
  if (!following.endsAtReaders || !field.rights?.read) followSource(following, level, field)
}

function followSource(following: Following, level: Level, { formula, fetch, lookup }: Field): void {
  if (formula !== undefined) follow(following, level, formula)
  if (fetch) followPath(following, level, [fetch.link, fetch.field])
  if (!lookup) return
  const { from, match, where, value } = lookup
  if (match !== undefined) follow(following, level, match)
  const target = from === undefined ? undefined : elsewhere(following, from)
  if (target) {
    for (const text of [where ?? []].flat()) follow(following, { ...target, seeker: level }, text)
    if (value !== undefined) follow(following, target, value)
  } else if (match !== undefined && value !== undefined)
    followPath(following, level, [match, value])
}

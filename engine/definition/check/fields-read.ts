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

/** What expressions and fields of some DocTypes depend on; what has been followed once is known. */
export interface FieldReads {
  /**
   * Fields that an expression over a record, or over a row of it, depends on, each once: those it names, also behind
   * links and in what is found, and those that these are computed and taken from. Rollups and hooks are not followed.
   */
  readBy(definition: DocTypeDefinition, text: string, table?: Field): readonly ReadField[]
  /**
   * Fields that a computed or fetched field is made of, as `readBy`; one that says itself who may read it is not looked
   * behind.
   */
  behind(definition: DocTypeDefinition, field: Field, table?: Field): readonly ReadField[]
  /** Those of them that the field itself names: the first step behind it. */
  nextTo(definition: DocTypeDefinition, field: Field, table?: Field): readonly ReadField[]
}

export function createFieldReads(drafts: Drafts): FieldReads {
  const steps = new Map<string, readonly ReadField[]>()
  const world = { drafts, paths: new Map(), names: new Map() }
  // What a field is taken from is found by itself alone, whoever came to it.
  function stepOf({ definition, table, field }: Omit<ReadField, 'isElsewhere'>) {
    if (!isTaken(field)) return NOTHING
    const place = placeOf({ definition, table, field })
    const known = steps.get(place)
    if (known) return known
    const following: Following = { ...world, found: new Map() }
    followSource(following, { definition, table, isElsewhere: false }, field)
    const step = [...following.found.values()]
    steps.set(place, step)
    return step
  }
  function close(first: Iterable<ReadField>, endsAtReaders: boolean): readonly ReadField[] {
    const found = new Map<string, ReadField>()
    const visit = (one: ReadField): void => {
      const place = placeOf(one)
      if (found.has(place)) return
      found.set(place, one)
      if (endsAtReaders && one.field.rights?.read) return
      for (const next of stepOf(one))
        visit(one.isElsewhere && !next.isElsewhere ? { ...next, isElsewhere: true } : next)
    }
    for (const one of first) visit(one)
    return [...found.values()]
  }
  return {
    readBy(definition, text, table) {
      const following: Following = { ...world, found: new Map() }
      follow(following, { definition, table, isElsewhere: false }, text)
      return close(following.found.values(), false)
    },
    behind: (definition, field, table) => close(stepOf({ definition, table, field }), true),
    nextTo: (definition, field, table) => stepOf({ definition, table, field }),
  }
}

/** Whether a field is made of others: rollups and hooks are not followed. */
export function isTaken({ formula, fetch, lookup }: Field): boolean {
  return formula !== undefined || fetch !== undefined || lookup !== undefined
}

const NOTHING: readonly ReadField[] = []

function placeOf({ definition, table, field }: Omit<ReadField, 'isElsewhere'>): string {
  return `${definition.doctype}\0${table?.name ?? ''}\0${field.name}`
}

/** The expression with empty texts in place of those it has. */
export function withoutTexts(expression: string): string {
  if (!/["']/.test(expression)) return expression
  return expression.replaceAll(/"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'/g, '""')
}

interface Following {
  readonly drafts: Drafts
  readonly found: Map<string, ReadField>
  /** Paths of names in texts that have been read. */
  readonly paths: Map<string, readonly (readonly string[])[]>
  /** Fields by name, of a DocType or of the rows of a table. */
  readonly names: Map<object, ReadonlyMap<string, Field>>
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

function follow(following: Following, level: Level, text: string): void {
  const paths = following.paths.get(text) ?? pathsIn(text)
  following.paths.set(text, paths)
  for (const path of paths) followPath(following, level, path)
}

function pathsIn(written: string): readonly (readonly string[])[] {
  const text = withoutTexts(written)
  const found = text.includes('(') ? [...text.matchAll(ROWS)] : []
  const rows = new Map(found.map(([, table = '', as = '']) => [as, table]))
  return (text.match(NAMES) ?? []).map((path) => {
    const [head = '', ...rest] = path.split('.')
    return [rows.get(head) ?? head, ...rest]
  })
}

function followPath(following: Following, level: Level, path: readonly string[]): void {
  const [head = '', ...rest] = path
  const { definition, table, seeker } = level
  const owner = table?.child ?? definition
  const find = owner.finds?.find(({ name }) => name === head)
  const field = fieldNamed(following, owner, head)
  if (head === 'this' && seeker) followPath(following, seeker, rest)
  else if (head === 'old' && rest.length > 0) followPath(following, level, rest)
  else if (head === 'parent' || head === 'document')
    followPath(following, { ...(seeker ?? level), table: undefined }, rest)
  else if (find) followFind(following, level, find, rest)
  else if (field) {
    noteField(following, level, field)
    if (field.child) followPath(following, { ...level, table: field }, rest)
    else followLink(following, field, rest)
  }
}

function fieldNamed(
  { names }: Following,
  owner: { readonly fields: readonly Field[] },
  name: string,
): Field | undefined {
  const byName = names.get(owner) ?? new Map(owner.fields.map((one) => [one.name, one]))
  names.set(owner, byName)
  return byName.get(name)
}

function followLink(following: Following, { link }: Field, rest: readonly string[]): void {
  const target = link === undefined ? undefined : following.drafts.definitionOf(link)
  if (!target || rest.length === 0) return
  followPath(following, { definition: target, table: undefined, isElsewhere: true }, rest)
}

function followFind(following: Following, level: Level, find: Find, rest: readonly string[]): void {
  const target = elsewhere(following, find.from)
  if (!target) return
  for (const text of [find.match, ...Object.values(find.equals ?? {})])
    if (text !== undefined) follow(following, level, text)
  for (const name of Object.keys(find.equals ?? {})) followPath(following, target, [name])
  for (const text of [find.where ?? []].flat())
    follow(following, { ...target, seeker: level }, text)
  followPath(following, target, rest)
}

function elsewhere({ drafts }: Following, from: string): Level | undefined {
  const [doctype = '', name] = from.split('.')
  const definition = drafts.definitionOf(doctype)
  const table = definition?.fields.find((field) => field.name === name)
  return definition && { definition, table, isElsewhere: true }
}

function noteField({ found }: Following, level: Level, field: Field): void {
  const { definition, table, isElsewhere } = level
  const one = { definition, table, field, isElsewhere }
  const place = placeOf(one)
  if (!found.has(place)) found.set(place, one)
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

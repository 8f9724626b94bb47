import { hash } from 'node:crypto'
import { type Parse, parseExpression } from '../../expression/syntax/parse.ts'
import type { ChildDefinition, Field, Find } from '../../fields/field.ts'
import type { Draft } from '../check/world.ts'
import type { DocTypeDefinition } from '../model/definition.ts'
import { DOCUMENT, documentOf } from '../model/made-name.ts'
import { ROW_ID } from '../model/standard-fields.ts'
import { splitDot } from '../normalise/normalise-field.ts'
import type { Path } from '../yaml/parse.ts'
import { isLink, type Level, type Levels, levelsOf } from './levels.ts'
import { canBeKept, madeField, type Source } from './made-field.ts'
import { mayLookBehind, pathsOf } from './paths.ts'
import { type Site, sitesOf } from './sites.ts'

/** Receiver of a mistake at an expression of a DocType. */
export type Complain = (doctype: string, path: Path, message: string) => void

/**
 * DocTypes with the columns that keep what expressions read behind links and in what finds find: one for each field
 * that some expression of the document or table reads, and one for the name of what each find finds. Definitions are
 * without mistakes by now; what no path leads to is told when its expression is compiled.
 */
export function makeColumns(
  drafts: ReadonlyMap<string, Draft>,
  complain: Complain,
  parse: Parse = parseExpression,
): readonly DocTypeDefinition[] {
  const levels = levelsOf(drafts)
  const making: Making = { levels, complain, parse }
  for (const { definition } of drafts.values()) {
    if (definition.isChild) continue
    for (const site of sitesOf(definition)) makeForSite(making, definition.doctype, site)
    makeNames(making, definition)
  }
  return [...drafts.values()].map(({ definition }) => withMade(definition, levels))
}

interface Making {
  readonly levels: Levels
  readonly complain: Complain
  readonly parse: Parse
}

/** An expression that reads what is made. */
interface Reader {
  readonly doctype: string
  readonly path: Path
}

function makeForSite(making: Making, doctype: string, site: Site): void {
  const { levels } = making
  if (!mayLookBehind(site.source, levels.headsOf(site.place.doctype))) return
  const reader = { doctype, path: site.path }
  const isTable = (place: Site['place'], name: string): boolean =>
    levels.at(place)?.fields.get(name)?.child !== undefined
  for (const { place, steps, isOwn } of pathsOf(site, making.parse, isTable)) {
    const level = levels.at(place)
    const [head = '', ...rest] = steps
    const find = level?.finds.get(head)
    if (level && find) makeFound(making, level, find, rest, reader)
    // At one moment links lead to records as they are now.
    else if (level && !(isOwn && site.kind === 'moment'))
      makeBehind(making, level, level.fields.get(head), { path: head, rest }, reader)
  }
}

/** Makes the column of the name of what each find finds: it says whether it found anything. */
function makeNames(making: Making, { doctype, fields, finds }: DocTypeDefinition): void {
  const nameAll = (table: string | undefined, found: readonly Find[] = [], path: Path): void => {
    for (const find of found) {
      const level = making.levels.at({ doctype, table })
      const [, rows] = splitDot(find.from)
      const name = rows === undefined ? 'name' : ROW_ID.name
      const reader = { doctype, path: [...path, 'find', find.name] }
      if (level) makeFound(making, level, find, [name], reader)
    }
  }
  nameAll(undefined, finds, [])
  for (const { name, child } of fields) nameAll(name, child?.finds, ['fields', name])
}

function makeFound(
  making: Making,
  level: Level,
  find: Find,
  [first = '', ...more]: readonly string[],
  reader: Reader,
): void {
  const { fieldsOf } = making.levels
  const [doctype, table] = splitDot(find.from)
  const own = fieldsOf(find.from).get(first)
  const isOfDocument = !own && table !== undefined && first === DOCUMENT
  const [name = '', ...rest] = isOfDocument ? more : [first, ...more]
  const origin = isOfDocument ? fieldsOf(doctype).get(name) : own
  if (!origin) return
  const source: Source = isOfDocument
    ? {
        of: documentOf(find.name),
        path: `${find.name}.${DOCUMENT}`,
        origin,
        find: { declared: find, prefix: `${DOCUMENT}.` },
      }
    : { of: find.name, path: find.name, origin, find: { declared: find, prefix: '' } }
  const made = makeOne(making, level, source, reader)
  if (made) makeBehind(making, level, made, { path: made.made!.path, rest, behind: find }, reader)
}

/** A way on from a link: its path so far, the names behind it, and the find it began with. */
interface Way {
  readonly path: string
  readonly rest: readonly string[]
  readonly behind?: Find
}

function makeBehind(
  making: Making,
  level: Level,
  link: Field | undefined,
  { path, rest, behind }: Way,
  reader: Reader,
): void {
  const names = link && (link.made?.names ?? (isLink(link) ? link.link : undefined))
  const [name, ...more] = rest
  if (!link || names === undefined || name === undefined) return
  const origin = making.levels.fieldsOf(names).get(name)
  if (!origin) return
  const { renamedFrom } = link
  const from = { of: link.name, path, origin, renamedFrom }
  const made = makeOne(making, level, behind ? { ...from, behind } : from, reader)
  const on = { path: `${path}.${name}`, rest: more }
  if (made) makeBehind(making, level, made, behind ? { ...on, behind } : on, reader)
}

/** Makes a column, or notes one more reader of it; undefined where no column can keep the value. */
function makeOne(
  { complain }: Making,
  { made, place }: Level,
  source: Source,
  { doctype, path }: Reader,
): Field | undefined {
  if (!canBeKept(source.origin)) return undefined
  const field = madeField(source)
  const known = made.get(field.name) ?? { field, by: new Set<string>() }
  if (known.field.made!.path !== field.made!.path) {
    const message = `${field.made!.path} and ${known.field.made!.path} would be kept in one column, ${field.name}; rename a link or find`
    complain(doctype, path, message)
    return undefined
  }
  made.set(field.name, known)
  known.by.add(doctype === place.doctype ? path.join('.') : `${doctype}: ${path.join('.')}`)
  return known.field
}

function withMade(definition: DocTypeDefinition, levels: Levels): DocTypeDefinition {
  const { doctype } = definition
  const own = madeOf(levels.at({ doctype, table: undefined }))
  const all = [...own]
  const fields = definition.fields.map((field) => {
    const rows = field.child ? madeOf(levels.at({ doctype, table: field.name })) : []
    if (rows.length === 0) return field
    all.push(...rows)
    const child: ChildDefinition = { ...field.child!, fields: [...field.child!.fields, ...rows] }
    return { ...field, child }
  })
  if (all.length === 0) return definition
  // What is made follows from the files of other DocTypes too.
  const checksum = hash('sha256', definition.checksum + JSON.stringify(all)).slice(0, 32)
  return { ...definition, fields: [...fields, ...own], checksum }
}

/** The columns of a level by name, whatever order their readers stand in. */
function madeOf(level: Level | undefined): readonly Field[] {
  return [...(level?.made.values() ?? [])]
    .map(({ field, by }) => ({ ...field, made: { ...field.made!, by: [...by].sort() } }))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
}

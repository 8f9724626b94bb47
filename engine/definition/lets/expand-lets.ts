import { fieldTypes } from '../../fields/index.ts'
import { UNNAMED_ROW } from '../normalise/expand-copies.ts'
import {
  type PartSite,
  type Rewrite,
  rewriteAll,
  rewriteBelow,
  rewriteParts,
} from '../normalise/rewrite.ts'
import { isMap, joinPath, type RawDocType, type YamlMap } from '../yaml/source.ts'
import { expandText, type Telling, type View, wordOf } from './expand-text.ts'
import type { ExpandedText } from './expanded-text.ts'
import type { Frame, Let, LetLevel } from './let.ts'

/** A DocType without its lets, and the texts that named them, by their paths joined by NUL. */
export interface WithoutLets {
  readonly data: YamlMap
  readonly expanded: ReadonlyMap<string, ExpandedText>
}

interface Site extends PartSite, View {
  readonly doctype: string
  readonly levels: Levels
  /** A word that is the name of a let of the DocType. */
  readonly named: RegExp
  readonly tell: Telling
  readonly expanded: Map<string, ExpandedText>
}

interface Levels {
  readonly document: LetLevel
  /** Levels of a DocType of rows, whose document is not known. */
  readonly isChild: boolean
}

type Expand = Rewrite<Site>

const NO_LETS: LetLevel = { lets: new Map(), lists: new Map(), tables: new Map() }

/** The lets of a DocType and of its tables; those of rows with a file of their own stand there. */
export function letLevel(
  { doctype, data }: RawDocType,
  raws: ReadonlyMap<string, RawDocType>,
): LetLevel {
  const tables = Object.entries(mapOf(data.fields)).flatMap(([name, field]) =>
    isTable(field) ? [[name, tableLevel(doctype, name, field, raws)] as const] : [],
  )
  return { ...namesOf(doctype, [], data.let), tables: new Map(tables) }
}

/** Whether a field has rows. */
export function isTable(field: unknown): field is YamlMap {
  return isMap(field) && fieldTypes.get(String(field.type))?.optionsMean === 'rows'
}

function tableLevel(
  doctype: string,
  name: string,
  field: YamlMap,
  raws: ReadonlyMap<string, RawDocType>,
): LetLevel {
  if (isMap(field.fields)) return { ...NO_LETS, ...namesOf(doctype, ['fields', name], field.let) }
  const child = raws.get(String(field.options))
  return child ? { ...NO_LETS, ...namesOf(child.doctype, [], child.data.let) } : NO_LETS
}

/** Names for expressions, and those for lists. */
function namesOf(
  doctype: string,
  path: Let['path'],
  lets: unknown,
): Pick<LetLevel, 'lets' | 'lists'> {
  const named = Object.entries(mapOf(lets)).map(([name, meaning]) => {
    const isList = Array.isArray(meaning)
    const text = isList ? '' : String(meaning)
    return { isList, one: { doctype, path: [...path, 'let', name], text, name } }
  })
  const mapWhere = (isList: boolean): ReadonlyMap<string, Let> =>
    new Map(named.filter((all) => all.isList === isList).map(({ one }) => [one.name, one]))
  return { lets: mapWhere(false), lists: mapWhere(true) }
}

const mapOf = (value: unknown): YamlMap => (isMap(value) ? value : {})

/** The DocType with the lets of its expressions in place; undefined where it has none to read. */
export function expandLets(
  { doctype, data }: RawDocType,
  document: LetLevel,
  tell: Telling,
): WithoutLets | undefined {
  const all = [document, ...document.tables.values()].flatMap(({ lets }) => [...lets.keys()])
  const named = wordOf(all)
  if (!named) return undefined
  const isChild = data.child === true
  const own: Frame = isChild
    ? rowFrame(document, NO_LETS)
    : { level: document, self: '', old: 'old.' }
  const expanded = new Map<string, ExpandedText>()
  const root: Site = {
    path: [],
    own,
    heads: new Map(),
    doctype,
    levels: { document, isChild },
    named,
    tell,
    expanded,
  }
  const parts = rewriteParts(data, root, {
    fields,
    find: finds,
    unique: (list, site) =>
      rewriteAll(list, site, (one, at) => rewriteParts(one, at, { where: text })),
    status: (status, site) =>
      rewriteParts(status, site, { derive: texts, moves: texts, tick: texts }),
    validate: (list, site) => rewriteAll(list, site, validation),
    effects: (effects, site) => rewriteParts(effects, site, { submit: steps }),
    actions: (actions, site) => rewriteAll(actions, site, action),
    events: (events, site) =>
      rewriteAll(events, site, (event, at) =>
        rewriteParts(event, at, { when: text, set: texts, data: keyed }),
      ),
    permissions: (permissions, site) =>
      rewriteParts(permissions, site, {
        rows: (rows, at) =>
          rewriteAll(rows, at, (one, ofOne) => (isMap(one) ? texts(one, ofOne) : text(one, ofOne))),
      }),
    brings: (brings, site) => rewriteParts(brings, site, { if: text, suffix: text }),
  }) as YamlMap
  const { let: _, ...rest } = parts
  return { data: rest, expanded }
}

/** Frame of a row in its own expressions. */
function rowFrame(level: LetLevel, document: LetLevel): Frame {
  return {
    level,
    self: '',
    document,
    ofDocument: 'parent.',
    old: 'old.',
    oldDocument: 'old_parent.',
  }
}

const text: Expand = (written, site) => {
  if (Array.isArray(written)) return rewriteAll(written, site, text)
  if (typeof written !== 'string' || !site.named.test(written)) return written
  const { doctype, path, tell } = site
  const expanded = expandText({ doctype, path: [...path], text: written }, site, tell)
  if (!expanded) return written
  site.expanded.set(joinPath(path), expanded)
  return expanded.text
}

const texts: Expand = (map, site) => rewriteAll(map, site, text)

/** Names → expressions; a list names fields. */
const keyed: Expand = (map, site) => (isMap(map) ? texts(map, site) : map)

/** The site of what is searched: bare names are those of another DocType, own ones stand behind `this`. */
function searching(site: Site): Site {
  const { own, heads } = site
  const known = new Map(heads)
  if (own) known.set('this', { ...own, self: 'this.' })
  if (own?.document) known.set('parent', { level: own.document, self: own.ofDocument })
  return { ...site, own: undefined, heads: known }
}

const searched: Expand = (part, site) => text(part, searching(site))

const fields: Expand = (map, site) => rewriteAll(map, site, field)

function field(written: unknown, site: Site): unknown {
  const parts = rewriteParts(isTable(written) ? withoutLet(written) : written, site, OF_FIELD)
  const level = site.levels.document.tables.get(String(site.path.at(-1)))
  const isOfDocument = site.path.length === 2 && !site.levels.isChild
  if (!level || !isOfDocument) return parts
  const inRows: Site = { ...site, own: rowFrame(level, site.levels.document) }
  return rewriteParts(parts, inRows, { fields, find: finds })
}

function withoutLet(table: YamlMap): YamlMap {
  const { let: _, ...rest } = table
  return rest
}

const lookup: Expand = (written, site) =>
  rewriteParts(written, site, {
    match: text,
    where: searched,
    value: searched,
    sum: searched,
    min: searched,
    max: searched,
  })

const call: Expand = (written, site) =>
  rewriteParts(written, site, {
    if: text,
    with: (inputs, at) =>
      rewriteAll(inputs, at, (one, ofOne) =>
        isMap(one) ? rewriteParts(one, ofOne, { where: searched }) : text(one, ofOne),
      ),
  })

const finds: Expand = (map, site) =>
  rewriteAll(map, site, (one, at) =>
    rewriteParts(one, at, {
      match: (match, ofMatch) => (isMap(match) ? texts(match, ofMatch) : text(match, ofMatch)),
      where: searched,
      renew: text,
    }),
  )

/** Rows of a table from those of another, or of a posting or new document: once for each of something. */
const rows: Expand = (written, outer) => {
  if (!isMap(written)) return written
  const site = within(outer, written.each, written.as)
  const each = eachOf(written.each, site, outer)
  return { ...(rewriteParts(written, site, { if: text, set: texts }) as YamlMap), ...each }
}

/** The site of what is done for each of something, whose name may be that of a row of the document. */
function within(site: Site, each: unknown, as?: unknown): Site {
  if (each === undefined) return site
  const { table, as: named }: YamlMap = isMap(each) ? each : { table: each }
  const name = String(named ?? as ?? UNNAMED_ROW)
  const level = site.own?.level.tables.get(String(table))
  const frame: Frame | undefined = level &&
    site.own && { level, self: `${name}.`, document: site.own.level, ofDocument: '' }
  return { ...site, heads: new Map(site.heads).set(name, frame) }
}

function eachOf(each: unknown, site: Site, outer: Site): { readonly each?: unknown } {
  if (!isMap(each)) return {}
  const query = searching(outer)
  const ofGroup: Expand = (map) => keyed(map, query)
  const parts: Readonly<Record<string, Expand>> = {
    if: text,
    where: (part) => text(part, query),
    group: ofGroup,
    sum: ofGroup,
    min: ofGroup,
    max: ofGroup,
  }
  return { each: rewriteBelow(each, 'each', site, (part, at) => rewriteParts(part, at, parts)) }
}

const steps: Expand = (list, site) => rewriteAll(list, site, step)

function step(written: unknown, outer: Site): unknown {
  if (!isMap(written)) return written
  const site = within(outer, written.each)
  const each = eachOf(written.each, site, outer)
  const isPost = written.post !== undefined
  const parts = rewriteParts(written, site, {
    record: text,
    date: text,
    set: texts,
    rounding: (rounding, at) => rewriteParts(rounding, at, { set: texts }),
    rows: (list, at) =>
      rewriteAll(list, at, (one, ofOne) =>
        !isPost && Array.isArray(one) ? rewriteAll(one, ofOne, rows) : rows(one, ofOne),
      ),
  }) as YamlMap
  const own = rewriteParts(written, outer, { if: text }) as YamlMap
  return { ...parts, ...(own.if === undefined ? {} : { if: own.if }), ...each }
}

function action(written: unknown, site: Site): unknown {
  return rewriteParts(written, site, {
    when: text,
    message: messageText,
    steps,
    input: (input, at) =>
      rewriteAll(input, at, (one, ofOne) => rewriteParts(one, ofOne, { default: text })),
  })
}

/** A condition of the record or of each row of a table, and the expressions in its message. */
function validation(written: unknown, site: Site): unknown {
  if (!isMap(written)) return written
  const { document } = site.levels
  const level = document.tables.get(String(written.each))
  const here = level ? { ...site, own: rowFrame(level, document) } : site
  return rewriteParts(written, here, {
    check: text,
    message: messageText,
  })
}

/** The expressions between the braces of a message. */
const messageText: Expand = (message, at) =>
  String(message).replaceAll(/\{([^{}]*)\}/g, (_, part) => `{${String(text(part, at))}}`)

const OF_FIELD: Readonly<Record<string, Expand>> = {
  formula: text,
  renew: text,
  visible_when: text,
  required_when: text,
  default: text,
  lookup,
  call,
  rows: (made, at) => (Array.isArray(made) ? rewriteAll(made, at, rows) : rows(made, at)),
}

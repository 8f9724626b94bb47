import { refuse } from '../engine/definition/model/hook.ts'

/** An element of XML: its name without the prefix of a namespace, its attributes and what it holds. */
export interface XmlElement {
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
  readonly children: readonly XmlElement[]
  /** The text of the element itself, without that of its children. */
  readonly text: string
}

const TOKEN =
  /<!--[\s\S]*?-->|<!\[CDATA\[([\s\S]*?)\]\]>|<\?[\s\S]*?\?>|<(\/?)([A-Za-z_][\w.:-]*)((?:\s+[\w.:-]+\s*=\s*(?:"[^"<]*"|'[^'<]*'))*)\s*(\/?)>|([^<]+)/gy
const ATTRIBUTE = /([\w.:-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g
const ENTITIES: ReadonlyMap<string, string> = new Map([
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['apos', "'"],
])
const MAX_DEPTH = 100

interface Open {
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
  readonly children: XmlElement[]
  text: string
}

/**
 * Reads a document of XML as banks send it: elements, attributes, texts, CDATA and comments. Declarations of
 * types and of entities are refused: no bank sends them, and they are what makes XML dangerous to read.
 * Throws AppError naming the line.
 */
export function readXml(content: string): XmlElement {
  const text = content.replace(/^\uFEFF/, '')
  const root: Open = { name: '', attributes: {}, children: [], text: '' }
  const open: Open[] = [root]
  let at = 0
  const fail = (message: string): never =>
    refuse(`line ${text.slice(0, at).split('\n').length}: ${message}`)
  while (at < text.length) {
    TOKEN.lastIndex = at
    const match = TOKEN.exec(text)
    if (!match) return fail('expected well-formed XML without DOCTYPE')
    const [all, cdata, closing, name = '', attributes = '', empty, written] = match
    const current = open.at(-1)!
    if (cdata !== undefined) current.text += cdata
    else if (written !== undefined) {
      if (open.length === 1 && written.trim() !== '') fail('expected an element, got text')
      current.text += decoded(written, fail)
    } else if (closing === '/') {
      if (open.length === 1 || current.name !== localName(name))
        fail(`expected the end of ${current.name || 'the document'}, got </${name}>`)
      open.pop()
    } else if (name !== '') {
      const element: Open = {
        name: localName(name),
        attributes: attributesOf(attributes, fail),
        children: [],
        text: '',
      }
      current.children.push(element)
      if (empty !== '/') open.push(element)
      if (open.length > MAX_DEPTH) fail(`expected at most ${MAX_DEPTH} elements inside each other`)
    }
    at += all.length
  }
  if (open.length > 1) fail(`${open.at(-1)!.name} is not closed`)
  if (root.children.length !== 1)
    return fail(`expected one document, got ${root.children.length} elements`)
  return root.children[0]!
}

function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1)
}

type Fail = (message: string) => never

function attributesOf(text: string, fail: Fail): Readonly<Record<string, string>> {
  return Object.fromEntries(
    [...text.matchAll(ATTRIBUTE)].map(([, name, double, single]) => [
      name!,
      decoded(double ?? single ?? '', fail),
    ]),
  )
}

function decoded(text: string, fail: Fail): string {
  return text.replace(/&(#x[0-9a-f]{1,6}|#\d{1,7}|\w*);?/gi, (entity, name: string) => {
    if (!name.startsWith('#')) return ENTITIES.get(name) ?? fail(`unknown entity ${entity}`)
    const code = /^#x/i.test(name) ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1))
    return code > 0 && code <= 0x10ffff
      ? String.fromCodePoint(code)
      : fail(`no character ${entity}`)
  })
}

/** The elements that a path of names leads to, from an element on. */
export function elementsAt(element: XmlElement, ...path: readonly string[]): readonly XmlElement[] {
  return path.reduce<readonly XmlElement[]>(
    (found, name) =>
      found.flatMap(({ children }) => children.filter((child) => child.name === name)),
    [element],
  )
}

/** The trimmed text of the first element at a path, "" without one. */
export function textAt(element: XmlElement, ...path: readonly string[]): string {
  return elementsAt(element, ...path)[0]?.text.trim() ?? ''
}

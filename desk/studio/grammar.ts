import { isWords } from './changes.ts'
import type { Grammar } from './studio-types.ts'

/** How a part of the grammar is edited. */
export type Kind = 'flag' | 'choice' | 'number' | 'text' | 'lines' | 'list' | 'map' | 'words'

/** A part of the grammar without its references, which lead into the definitions of the whole. */
export function resolved(node: Grammar, whole: Grammar): Grammar {
  if (node.$ref === undefined) return node
  const found = whole.definitions?.[node.$ref.split('/').at(-1) ?? '']
  const { $ref: _, ...own } = node
  return found ? resolved({ ...found, ...own }, whole) : own
}

/** The grammar of a field of this type: what its words mean for it. */
export function ofType(node: Grammar, type: string): Grammar {
  const said = (node.allOf ?? []).flatMap(({ if: when, then }) =>
    when?.properties?.type?.enum?.includes(type) ? Object.entries(then?.properties ?? {}) : [],
  )
  const properties: Record<string, Grammar> = { ...node.properties }
  for (const [word, part] of said) properties[word] = { ...properties[word], ...part }
  return { ...node, properties }
}

/** The kinds that a part may be written as, the usual one first. */
export function kindsOf(node: Grammar, whole: Grammar): readonly Kind[] {
  if (node.enum) return ['choice']
  if (node.const === true) return ['flag']
  const types = [node.type ?? (node.properties ? 'object' : 'string')].flat()
  const kinds: Kind[] = []
  if (types.includes('string')) kinds.push('text')
  if (types.includes('array')) kinds.push(isOfTexts(node, whole) ? 'lines' : 'list')
  if (types.includes('object')) kinds.push(node.properties ? 'words' : 'map')
  if (kinds.length > 0) return kinds
  if (types.includes('boolean')) return ['flag']
  return ['number']
}

/** The kind that a value is written as. */
export function kindOf(value: unknown, node: Grammar, whole: Grammar): Kind {
  const kinds = kindsOf(node, whole)
  const fits = (kind: Kind): boolean => {
    if (Array.isArray(value)) return kind === 'lines' || kind === 'list'
    if (isWords(value)) return kind === 'words' || kind === 'map'
    return (
      value !== undefined &&
      kind !== 'lines' &&
      kind !== 'list' &&
      kind !== 'words' &&
      kind !== 'map'
    )
  }
  return kinds.find(fits) ?? kinds[0] ?? 'text'
}

/** What a word begins with when it is added. */
export function beginning(kind: Kind, node: Grammar): unknown {
  if (kind === 'flag') return true
  if (kind === 'choice') return node.enum?.[0]
  if (kind === 'number') return 0
  if (kind === 'lines' || kind === 'list') return []
  if (kind === 'words' || kind === 'map') return {}
  return ''
}

/** The value of a text as somebody typed it: a number, true or false where the grammar takes those. */
export function typedValue(text: string, node: Grammar): unknown {
  const types = [node.type ?? 'string'].flat()
  if (types.includes('boolean') && (text === 'true' || text === 'false')) return text === 'true'
  const isNumber = /^-?(?:0|[1-9]\d{0,14})(?:\.\d{1,15})?$/.test(text)
  if (isNumber && (types.includes('number') || types.includes('integer'))) return Number(text)
  return text
}

/** Words of a map that may still be added. */
export function wordsLeft(node: Grammar, said: object): readonly string[] {
  return Object.keys(node.properties ?? {}).filter((word) => !Object.hasOwn(said, word))
}

function isOfTexts({ items }: Grammar, whole: Grammar): boolean {
  if (!items) return false
  const inner = resolved(items, whole)
  return [inner.type ?? 'string'].flat().join() === 'string' && !inner.properties
}

/** A value without what says nothing: empty texts, lists and maps in it, which the grammar would refuse. */
export function withoutNothing(value: unknown, keepEmptyMaps = false): unknown {
  if (Array.isArray(value)) {
    const items = value.map((item) => withoutNothing(item)).filter((item) => item !== undefined)
    return items
  }
  if (isWords(value)) {
    const entries = Object.entries(value).flatMap(([word, item]) => {
      const kept = withoutNothing(item)
      return kept === undefined ? [] : [[word, kept] as const]
    })
    return entries.length === 0 && !keepEmptyMaps && Object.keys(value).length > 0
      ? undefined
      : Object.fromEntries(entries)
  }
  return value === '' || value === null ? undefined : value
}

import type { DocTypeDefinition } from '../../definition/model/definition.ts'
import { type Doc, valueIn } from './document.ts'

/** Version of `searchText`: it changes with that function, so that every index is made anew. */
const FORMAT = 2

/**
 * Characters of a field that are looked into: people search for titles and first words, and an index of whole books
 * makes writing them slow and searching them slower.
 */
const MOST_SEARCHED = 2_000

/** The text a record is found by: its search fields and its name, a field a line; of long ones their beginning. */
export function searchText(definition: DocTypeDefinition, doc: Doc): string {
  const parts = definition.searchFields.includes(definition.idField) ? [] : [doc.name]
  for (const field of definition.searchFields) {
    const value = valueIn(doc, field)
    if (value !== null) parts.push(beginning(String(value)))
  }
  return fold(parts.join('\n'))
}

/** The first characters of a text; none is cut in two. */
function beginning(text: string): string {
  if (text.length <= MOST_SEARCHED) return text
  const isSplit = /[\uD800-\uDBFF]/.test(text[MOST_SEARCHED - 1]!)
  return text.slice(0, isSplit ? MOST_SEARCHED - 1 : MOST_SEARCHED)
}

/** The words of `q`, each once, written as `searchText` is. */
export function searchTerms(q: string): string[] {
  return [...new Set(fold(q).split(/\s+/u))].filter((term) => term !== '')
}

/** Source of `searchText` as one text: an index made of another is out of date. */
export function searchSource({ idField, searchFields }: DocTypeDefinition): string {
  return JSON.stringify([FORMAT, idField, searchFields])
}

/**
 * Lower case for comparing: the sigma that ends a Greek word is a sigma like any other, or `ΟΔΟΣ` would not
 * be a part of `ΟΔΟΣΑ`.
 */
export function lowerCase(text: string): string {
  return text.toLowerCase().replaceAll('ς', 'σ')
}

function fold(text: string): string {
  return lowerCase(text.normalize('NFC'))
}

import type { DocTypeDefinition } from '../../definition/model/definition.ts'
import { type Doc, valueIn } from './document.ts'

/** Version of `searchText`: it changes with that function, so that every index is made anew. */
const FORMAT = 1

/** The text a record is found by: its search fields and its name, a field a line. */
export function searchText(definition: DocTypeDefinition, doc: Doc): string {
  const parts = definition.searchFields.includes(definition.idField) ? [] : [doc.name]
  for (const field of definition.searchFields) {
    const value = valueIn(doc, field)
    if (value !== null) parts.push(String(value))
  }
  return fold(parts.join('\n'))
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

import { hash } from 'node:crypto'

/** Word behind which a found row's document stands: `sold.document.posting_date`. */
export const DOCUMENT = 'document'

/** Longest name of a made column: PostgreSQL tells names apart by their first 63 bytes. */
const LONGEST = 60
const KEPT_OF_LONG = 48

/**
 * Name of the column that the loader makes for a field behind another one: `item_code__is_stock_item`. No field that is
 * declared has two underscores in its name. A long one ends in a checksum.
 */
export function madeName(of: string, field: string): string {
  const name = `${of}__${field}`
  if (name.length <= LONGEST) return name
  return `${name.slice(0, KEPT_OF_LONG)}__${hash('sha256', name).slice(0, 8)}`
}

/** Name by which the document of a row that a find finds stands in made columns. */
export function documentOf(find: string): string {
  return madeName(find, DOCUMENT)
}

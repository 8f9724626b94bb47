/** Name of a field type in Frappe, and the `options` that make it so there. */
export interface FrappeName {
  readonly fieldtype: string
  readonly options?: string
}

/** Types whose name is more than ours with capitals (contract §1: Data with an option → data, email, phone, url). */
const IRREGULAR: ReadonlyMap<string, FrappeName> = new Map([
  ['html', { fieldtype: 'Text Editor' }],
  ['markdown', { fieldtype: 'Markdown Editor' }],
  ['json', { fieldtype: 'JSON' }],
  ['email', { fieldtype: 'Data', options: 'Email' }],
  ['phone', { fieldtype: 'Data', options: 'Phone' }],
  ['url', { fieldtype: 'Data', options: 'URL' }],
  ['time_zone', { fieldtype: 'Data' }],
  ['file_name', { fieldtype: 'Data' }],
])

/** The name of one of our field types in Frappe's metadata: `small_text` is `Small Text`. */
export function frappeName(type: string): FrappeName {
  return IRREGULAR.get(type) ?? { fieldtype: capitalised(type) }
}

function capitalised(type: string): string {
  return type
    .split('_')
    .map((word) => word.slice(0, 1).toUpperCase() + word.slice(1))
    .join(' ')
}

const HISSING = /(?:s|x|z|ch|sh)$/i
const CONSONANT_Y = /[^aeiou]y$/i

/** The plural of a name's last word: `Tool Kit` → `Tool Kits`, `Battery` → `Batteries`, `Glass` → `Glasses`. */
export function pluralise(name: string): string {
  if (CONSONANT_Y.test(name)) return `${name.slice(0, -1)}ies`
  return HISSING.test(name) ? `${name}es` : `${name}s`
}

/** The singular of a label's last word, where it looks like a plural: `Time Logs` → `Time Log`, `Taxes` → `Tax`. */
export function singularise(label: string): string {
  if (/[^aeiou]ies$/i.test(label)) return `${label.slice(0, -3)}y`
  if (/(?:ss|x|z|ch|sh)es$/i.test(label)) return label.slice(0, -2)
  return /[^s]s$/i.test(label) ? label.slice(0, -1) : label
}

/** A name as it stands in addresses: `Tool Kit` → `tool-kit`. */
export function kebab(name: string): string {
  return name.toLowerCase().replaceAll(' ', '-')
}

/** The slug of a DocType (contract §1): `Tool Kit` → `tool-kits`. */
export function slugOf(doctype: string): string {
  return kebab(pluralise(doctype))
}

/** The label of a field that declares none: `due_date` → `Due Date`. */
export function titleCase(name: string): string {
  return name
    .split('_')
    .filter((word) => word !== '')
    .map((word) => word[0]!.toUpperCase() + word.slice(1))
    .join(' ')
}

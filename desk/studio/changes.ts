import type { Words } from './studio-types.ts'

/** Whether a value is a map of words. */
export function isWords(value: unknown): value is Words {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Words with one of them said, at its place or at the end; undefined takes it away. */
export function withWord(words: Words, word: string, value: unknown): Words {
  if (value !== undefined) return { ...words, [word]: value }
  const { [word]: _, ...rest } = words
  return rest
}

/** The fields of a definition, or of the rows of a table. */
export function fieldsOf({ fields }: Words): Readonly<Record<string, Words>> {
  return isWords(fields) ? (fields as Readonly<Record<string, Words>>) : {}
}

/** A name that the YAML takes, made of what somebody typed: `Day Rate` → `day_rate`; empty where nothing is left. */
export function nameOf(typed: string): string {
  const name = typed
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^[_0-9]+|_+$/g, '')
  return name.slice(0, 50)
}

/** What people read for a field that has no label: `day_rate` → `Day Rate`. */
export function labelOf(name: string, field: Words = {}): string {
  if (typeof field.label === 'string') return field.label
  return name
    .split('_')
    .filter(Boolean)
    .map((word) => word[0]?.toUpperCase() + word.slice(1))
    .join(' ')
}

/** A definition with a field behind all others. */
export function addField(definition: Words, name: string, field: Words): Words {
  return { ...definition, fields: { ...fieldsOf(definition), [name]: field } }
}

/** A definition with a field changed. */
export function changeField(definition: Words, name: string, field: Words): Words {
  return addField(definition, name, field)
}

/** A definition without a field, nor its name in the lists of columns and of what is searched. */
export function removeField(definition: Words, name: string): Words {
  const { [name]: gone, ...fields } = fieldsOf(definition)
  const section = gone?.section
  const next = Object.keys(fieldsOf(definition))[
    Object.keys(fieldsOf(definition)).indexOf(name) + 1
  ]
  const opened = next === undefined ? undefined : fields[next]
  const kept =
    section !== undefined && next !== undefined && opened && opened.section === undefined
      ? { ...fields, [next]: { ...opened, section } }
      : fields
  return ['list', 'search'].reduce(
    (all, word) => {
      const names = all[word]
      if (!Array.isArray(names) || !names.includes(name)) return all
      const left = names.filter((one) => one !== name)
      return withWord(all, word, left.length > 0 ? left : undefined)
    },
    { ...definition, fields: kept } as Words,
  )
}

/** A definition with a field by so many places further down, or up. */
export function moveField(definition: Words, name: string, by: number): Words {
  const fields = Object.entries(fieldsOf(definition))
  const at = fields.findIndex(([one]) => one === name)
  const to = Math.min(Math.max(0, at + by), fields.length - 1)
  if (at < 0 || to === at) return definition
  const [moved] = fields.splice(at, 1)
  fields.splice(to, 0, moved!)
  return { ...definition, fields: Object.fromEntries(fields) }
}

/** A field of a form, in the section it stands in. */
export interface PlacedField {
  readonly name: string
  readonly field: Words
}

/** The fields by their sections, in order; the first section may be without a heading. */
export function sectionsOf(
  definition: Words,
): readonly { readonly heading: string | undefined; readonly fields: readonly PlacedField[] }[] {
  const sections: { heading: string | undefined; fields: PlacedField[] }[] = []
  for (const [name, field] of Object.entries(fieldsOf(definition))) {
    if (field.internal === true) continue
    const heading = typeof field.section === 'string' ? field.section : undefined
    if (heading !== undefined || sections.length === 0) sections.push({ heading, fields: [] })
    sections.at(-1)!.fields.push({ name, field })
  }
  return sections
}

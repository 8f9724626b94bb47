import type { DocTypeDefinition } from '../../definition/model/definition.ts'
import type { Registry } from '../../definition/model/registry.ts'
import { isMap, type YamlMap } from '../../definition/yaml/source.ts'
import type { Field } from '../../fields/field.ts'

/** Names of the records of sets once they are made: they link to one another by their names in the files. */
export interface SetNames {
  /** Makes a name of a DocType's record mean another one from now on. */
  rename(doctype: string, name: string, is: string): void
  /** Whether `rename` has been told of a DocType's record. */
  knows(doctype: string, name: string): boolean
  /** A record as it is made: called what `rename` says, its links and those of its rows led to whom they mean. */
  resolved(definition: DocTypeDefinition, record: YamlMap): YamlMap
  /** A value as its field is to hold it. */
  valueFor(field: Field, value: unknown): unknown
}

export function setNames(registry: Registry): SetNames {
  const names = new Map<string, string>()
  const nameOf = (doctype: string, name: unknown): unknown =>
    typeof name === 'string' ? (names.get(`${doctype}\0${name}`) ?? name) : name

  function valueFor(field: Field, value: unknown): unknown {
    const { link, linkTable, child } = field
    if (link !== undefined && linkTable === undefined) return nameOf(link, value)
    if (!child || !Array.isArray(value)) return value
    return value.map((row: unknown) => (isMap(row) ? withValues(child.fields, row) : row))
  }

  function withValues(fields: readonly Field[], record: YamlMap): YamlMap {
    return Object.fromEntries(
      Object.entries(record).map(([key, value]) => {
        const field = fields.find(({ name }) => name === key)
        return [key, field ? valueFor(field, value) : value]
      }),
    )
  }

  return {
    rename(doctype, name, is) {
      if (registry.byDoctype(doctype)) names.set(`${doctype}\0${name}`, is)
    },
    knows: (doctype, name) => names.has(`${doctype}\0${name}`),
    resolved({ doctype, fields, idField }, record) {
      const { [idField]: name, ...rest } = withValues(fields, record)
      return name === undefined ? rest : { [idField]: nameOf(doctype, name), ...rest }
    },
    valueFor,
  }
}

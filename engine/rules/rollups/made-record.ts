import type { DocTypeDefinition } from '../../definition/model/definition.ts'
import { parseNamingPattern } from '../../definition/model/naming-pattern.ts'
import type { Value } from '../../fields/field-type.ts'
import type { Doc, Row } from '../../storage/database/document.ts'

/** Whether rows of a DocType make records of another one, each for a key that they name (`upsert_from`, `made_by`). */
export function isMadeBy({ behaviour }: DocTypeDefinition, source: DocTypeDefinition): boolean {
  const { upsertFrom, madeBy = [] } = behaviour
  return upsertFrom === source.doctype || madeBy.includes(source.doctype)
}

/**
 * What a row says of the record that it makes: fields of its name, else those of its document, else what the naming
 * spells in the key, e.g. item and warehouse of `BOLT::Stores`.
 */
export function toldByRow(
  definition: DocTypeDefinition,
  key: string,
  source: Doc,
  row: Doc | Row,
): ReadonlyMap<string, Value> {
  const spelled = spelledIn(definition, key, new Set([...textsOf(row), ...textsOf(source)]))
  const told = new Map<string, Value>()
  for (const name of toldFields(definition)) {
    const value = spelled.get(name) ?? toldBy(name, source, row)
    if (value !== null) told.set(name, value)
  }
  return told
}

/** Fields that the first row tells of a record that rows make. */
export function toldFields({ fields }: DocTypeDefinition): readonly string[] {
  return fields.flatMap(({ name, child, formula, rollup }) =>
    child || formula !== undefined || rollup ? [] : [name],
  )
}

/** Value of a row, or else of its document. */
export function toldBy(name: string, source: Doc, row: Doc | Row): Value {
  return (row[name] ?? source[name] ?? null) as Value
}

function textsOf(cell: Doc | Row): readonly string[] {
  return Object.values(cell).filter((value) => typeof value === 'string')
}

/** Fields that the naming spells in a key; where it can be read in two ways, as the row's own values say. */
function spelledIn(
  { naming }: DocTypeDefinition,
  key: string,
  known: ReadonlySet<string>,
): ReadonlyMap<string, string> {
  if (naming.kind !== 'format' && naming.kind !== 'series') return new Map()
  const tokens = parseNamingPattern(naming.pattern)
  const read = (at: number, rest: string): readonly (readonly [string, string])[] | undefined => {
    const token = tokens[at]
    if (!token) return rest === '' ? [] : undefined
    if (token.kind === 'text')
      return rest.startsWith(token.text) ? read(at + 1, rest.slice(token.text.length)) : undefined
    if (token.kind !== 'field') return undefined
    for (let end = rest.length; end >= 0; end -= 1) {
      const part = rest.slice(0, end)
      if (part !== '' && !known.has(part)) continue
      const others = read(at + 1, rest.slice(end))
      if (others) return part === '' ? others : [[token.field, part], ...others]
    }
    return undefined
  }
  return new Map(read(0, key))
}

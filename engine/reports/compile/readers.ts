import type { DocTypeDefinition } from '../../definition/model/definition.ts'
import { dependenciesOf } from '../../expression/tree/analyse.ts'
import type { Field } from '../../fields/field.ts'
import type { ColumnPlan, SourcePlan } from '../declare/report.ts'

/** Lists of roles that alone may read what the sources and the tree of a report read, each once. */
export function readersOf(
  sources: readonly SourcePlan[],
  tree: DocTypeDefinition | undefined,
  columns: readonly ColumnPlan[],
): readonly (readonly string[])[] {
  const ofNodes = columns.flatMap(({ ofNode }) => named(tree?.fields ?? [], ofNode))
  const fields = [...sources.flatMap(fieldsRead), ...ofNodes]
  const lists = fields.flatMap(({ rights }) => (rights?.read ? [rights.read] : []))
  return [...new Map(lists.map((roles) => [roles.join('\0'), roles])).values()]
}

/** Fields that a source reads: its own, those of the record its rows belong to, those behind links. */
function fieldsRead({ definition, table, values, where, filters, links }: SourcePlan): Field[] {
  if (!definition) return []
  const rows = named(definition.fields, table)
  const own = rows[0]?.child?.fields ?? definition.fields
  const names = [
    ...[...values.values(), ...(where ? [where] : [])].flatMap(dependenciesOf),
    ...filters.map(({ of, field }) => (of === 'doc' ? field : `${of}.${field}`)),
  ]
  const read = names.flatMap((name) => {
    const [head = '', behind] = name.split('.')
    if (behind === undefined) return named(own, head)
    const link = [...named(own, head), ...named(definition.fields, head)]
    return [...link, ...named(links.get(head)?.fields ?? definition.fields, behind)]
  })
  return [...rows, ...read]
}

function named(fields: readonly Field[], name: string | undefined): readonly Field[] {
  return fields.filter((field) => field.name === name)
}

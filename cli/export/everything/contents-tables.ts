import { csvLine } from '../../../engine/base/csv-line.ts'
import type { DocTypeDefinition } from '../../../engine/definition/model/definition.ts'
import type { Field } from '../../../engine/fields/field.ts'
import { plainSelection } from './record-files.ts'

/** What was taken of a resource. */
export interface TakenResource {
  readonly definition: DocTypeDefinition
  readonly records: number
  readonly rows: number
}

/** A table of the resources, with what was taken of each. */
export function resourcesTable(taken: readonly TakenResource[]): string {
  const lines = taken.map(({ definition, records, rows }) => [
    definition.slug,
    definition.labelPlural,
    definition.module,
    String(records),
    String(rows),
    records === 0 ? '' : `records/${definition.slug}.csv`,
  ])
  const head = ['resource', 'label', 'module', 'records', 'rows_of_tables', 'file']
  return [head, ...lines].map((line) => csvLine(line)).join('')
}

/** A table of what the columns mean: of which type each is, and to which resource a link leads. */
export function fieldsTable(taken: readonly TakenResource[]): string {
  const lines = taken.flatMap(({ definition }) => {
    const { own, tables } = plainSelection(definition)
    return [
      ...own.map((field) => fieldLine(definition.slug, field.name, field)),
      ...tables.flatMap((table) =>
        table.columns.map((field) =>
          fieldLine(definition.slug, `${table.field.name}.${field.name}`, field),
        ),
      ),
    ]
  })
  return [['resource', 'column', 'label', 'type', 'options_or_link'], ...lines]
    .map((line) => csvLine(line))
    .join('')
}

function fieldLine(slug: string, column: string, { label, type, options, link }: Field): string[] {
  return [slug, column, label, type, link ?? options?.join('|') ?? '']
}

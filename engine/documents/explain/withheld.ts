import { mayReadField } from '../../access/known-to.ts'
import {
  createFieldReads,
  type FieldReads,
  type ReadField,
} from '../../definition/check/fields-read.ts'
import type { DocTypeDefinition } from '../../definition/model/definition.ts'
import type { Registry } from '../../definition/model/registry.ts'
import type { Field, SearchInput } from '../../fields/field.ts'
import type { Context } from '../work/context.ts'
import type { Cell } from './cell.ts'
import type { Source } from './source.ts'

/**
 * The source of a cell as far as the caller may hear of it: where what it is computed of or taken from has a field that
 * they may not read (`permissions.fields`), no more than how and when it came.
 */
export function withoutWithheld(
  { services, actor, grants }: Pick<Context, 'services' | 'actor' | 'grants'>,
  definition: DocTypeDefinition,
  cell: Cell,
  source: Source,
): Source {
  const { registry } = services
  if (services.knownRegistry({ actor, grants }) === registry) return source
  const reads = createFieldReads({ definitionOf: (doctype) => registry.byDoctype(doctype) })
  const read = [...readBySource(reads, source), ...readByCell(registry, reads, definition, cell)]
  const isKnown = ({ field, table }: ReadField): boolean =>
    mayReadField(actor, field) && (!table || mayReadField(actor, table))
  if (read.every(isKnown)) return source
  const { how, at } = source
  return { how, ...(at === undefined ? {} : { at }), inputs: [] }
}

/** Fields in the text that is told, whose names may stand for rows that are gone through (`i.amount`). */
function readBySource(reads: FieldReads, { said }: Source): readonly ReadField[] {
  if (!said) return []
  const { definition, text } = said
  const words = new Set(text.match(/\w+/g))
  const columns = definition.fields.flatMap((table) =>
    (table.child?.fields ?? []).map((field) => ({ definition, table, field, isElsewhere: false })),
  )
  return [
    ...reads.readBy(definition, text),
    ...columns.filter(({ field }) => words.has(field.name)),
  ]
}

function readByCell(
  registry: Registry,
  reads: FieldReads,
  definition: DocTypeDefinition,
  { field, table }: Cell,
): readonly ReadField[] {
  const own = (text: string | undefined): readonly ReadField[] =>
    text === undefined ? [] : reads.readBy(definition, text, table)
  const { status } = definition.behaviour
  const conditions =
    status?.field === field.name ? Object.values({ ...status.derive, ...status.moves }) : []
  return [
    ...reads.behind(definition, field, table),
    ...[field.default, field.renew, ...conditions.map(String)].flatMap(own),
    ...(field.rollup ? readElsewhere(registry, reads, field.rollup.from, { ...field.rollup }) : []),
    ...Object.values({ ...field.call?.with, ...table?.call?.with }).flatMap((input) =>
      typeof input === 'string' ? own(input) : readElsewhere(registry, reads, input.from, input),
    ),
    ...readByRows(definition, table ?? field),
  ]
}

/** Fields of the records, or rows of records, that a rollup or the input of a hook is over. */
function readElsewhere(
  registry: Registry,
  reads: FieldReads,
  from: string,
  texts: Partial<Record<'match' | 'value' | 'where' | 'latest', unknown>> | SearchInput,
): readonly ReadField[] {
  const [doctype = '', name] = from.split('.')
  const definition = registry.byDoctype(doctype)
  if (!definition) return []
  const table = definition.fields.find((field) => field.name === name)
  const { match, value, where, latest } = texts as Partial<Record<string, unknown>>
  return [match, value, where, latest].flatMap((text) =>
    typeof text === 'string' ? reads.readBy(definition, text, table) : [],
  )
}

/** Columns of the tables that rows are made from, whose names stand in what they set. */
function readByRows(definition: DocTypeDefinition, { rows = [] }: Field): readonly ReadField[] {
  return rows.flatMap(({ each, set, if: condition }) => {
    const table = definition.fields.find(({ name }) => name === each)
    const words = new Set(JSON.stringify([set, condition]).match(/\w+/g))
    return (table?.child?.fields ?? []).flatMap((field) =>
      words.has(field.name) ? [{ definition, table, field, isElsewhere: false }] : [],
    )
  })
}

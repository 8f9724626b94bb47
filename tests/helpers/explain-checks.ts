import * as assert from 'uvu/assert'
import type { DocTypeDefinition } from '../../engine/definition/model/definition.ts'
import { explainField } from '../../engine/documents/explain/explain.ts'
import type { ExplainedInput, Explanation } from '../../engine/documents/explain/explanation.ts'
import { getDocument } from '../../engine/documents/operations/get.ts'
import type { Context } from '../../engine/documents/work/context.ts'
import type { Field } from '../../engine/fields/field.ts'
import { publicFields } from '../../engine/fields/public-fields.ts'
import { list } from './reading-checks.ts'

type Record = Readonly<{ [field: string]: unknown }>

/**
 * The newest records of each DocType tell why each of their values is what it is: the value is the one of GET, so are those of
 * the inputs that are fields of the record, the records add up to it, and no internal field is named. Returns how many.
 */
export async function assertExplained(
  context: Context,
  definitions: readonly DocTypeDefinition[],
  most: number,
): Promise<number> {
  const internal = internalNames(context.services.registry.all)
  let explained = 0
  for (const definition of definitions) {
    const { data } = await list(context, definition, [['limit', String(most)]])
    for (const { id } of data) {
      const { record } = await getDocument(context, definition, String(id))
      for (const [field, name, value] of cellsOf(definition, record)) {
        await assertCell(context, definition, record, { field, name, value, internal })
        explained += 1
      }
    }
  }
  return explained
}

/** Fields of a record, and columns of the first row of each table, with their names and values. */
function cellsOf(definition: DocTypeDefinition, record: Record): [Field, string, unknown][] {
  return publicFields(definition).flatMap((field): [Field, string, unknown][] => {
    const [row] = field.child ? (record[field.name] as readonly Record[]) : []
    return [
      [field, field.name, record[field.name]],
      ...(row ? publicFields(field.child!) : []).map((column): [Field, string, unknown] => [
        column,
        `${field.name}.${row!.row_id}.${column.name}`,
        row![column.name],
      ]),
    ]
  })
}

interface Asked {
  readonly field: Field
  readonly name: string
  readonly value: unknown
  /** Names that are those of internal fields and of no others. */
  readonly internal: RegExp
}

async function assertCell(
  context: Context,
  definition: DocTypeDefinition,
  record: Record,
  { field, name, value, internal }: Asked,
): Promise<void> {
  const about = `${definition.doctype} ${record.id} ${name}`
  const ask = (cursor?: string): Promise<Explanation> =>
    explainField(context, definition, String(record.id), name, { depth: 2, limit: 100, cursor })
  const first = await ask()
  assert.equal(first.value, value, about)
  assert.is(first.label, field.label, about)
  assert.ok(first.where?.line, `${about}: ${JSON.stringify(first.where)}`)
  // A default may be any word.
  const said = first.how === 'default' ? '' : first.where?.text
  const text = JSON.stringify([said, first.inputs.map(nameless)])
  assert.is(internal.exec(text)?.[0], undefined, about)
  for (const input of first.inputs) assertInput(input, record, about)
  if (field.formula !== undefined) assert.is(first.how, 'formula', about)
  if (!field.rollup) return
  assert.is(first.how, 'rollup', about)
  const values = (first.records ?? []).map((one) => one.value)
  for (let cursor = first.next_cursor; cursor !== undefined; ) {
    const page = await ask(cursor)
    values.push(...(page.records ?? []).map((one) => one.value))
    cursor = page.next_cursor
  }
  const { operation } = field.rollup
  if (operation === 'min' || operation === 'max') {
    assert.ok(
      values.every((one) => one === value),
      about,
    )
    assert.is(values.length === 0, value === null, about)
  } else {
    const sum = values.reduce<number>((all, one) => all + Number(one), 0)
    assert.is(Math.round(sum * 1e6), Math.round(Number(value) * 1e6), about)
  }
}

/** An input without values: any text may stand in these. */
function nameless({ field, explain }: ExplainedInput): unknown {
  return [field, explain?.how === 'default' ? '' : explain?.where?.text]
}

const IN_ROW = /^(\w+)\[(\d+)\]\.(\w+)$/

/** An input that is a field of the record has its value. */
function assertInput({ field, value }: ExplainedInput, record: Record, about: string): void {
  const [, table = '', index, column = ''] = IN_ROW.exec(field) ?? []
  if (index !== undefined) {
    const row = (record[table] as readonly Record[])[Number(index)]!
    assert.equal(value, row[column], `${about}: ${field}`)
  } else if (field in record && !Array.isArray(record[field]))
    assert.equal(value, record[field], `${about}: ${field}`)
}

/** Names before a colon are words of the grammar, such as `latest:`. */
function internalNames(definitions: readonly DocTypeDefinition[]): RegExp {
  const [hidden, shown] = [new Set<string>(), new Set<string>()]
  const add = (fields: readonly Field[]): void => {
    for (const { name, internal, child } of fields) {
      ;(internal ? hidden : shown).add(name)
      add(child?.fields ?? [])
    }
  }
  for (const { fields } of definitions) add(fields)
  return new RegExp(`\\b(${[...hidden].filter((name) => !shown.has(name)).join('|')})\\b(?!:)`)
}

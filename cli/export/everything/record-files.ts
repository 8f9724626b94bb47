import { createReadStream } from 'node:fs'
import { open, rm } from 'node:fs/promises'
import type { DocTypeDefinition } from '../../../engine/definition/model/definition.ts'
import type { Field } from '../../../engine/fields/field.ts'
import { fieldType } from '../../../engine/fields/index.ts'
import type { Engine } from '../../../engine/index.ts'
import { recordFormat } from '../../../server/export/format.ts'
import { type Selection, selectionOf } from '../../../server/export/selection.ts'
import { recordPages } from '../record-pages.ts'
import type { Zip } from './zip-file.ts'

/** How many records and rows of tables of a resource were taken. */
export interface Counted {
  readonly records: number
  readonly rows: number
}

/**
 * Adds the records of a resource to a zip, once as JSON Lines and once as a table, from one reading: both have the same
 * records. The table waits in the file `beside` meanwhile. A resource without records has no files.
 */
export async function addRecords(
  zip: Zip,
  engine: Engine,
  definition: DocTypeDefinition,
  beside: string,
  onPage: (records: number) => void,
): Promise<Counted> {
  const selection = plainSelection(definition)
  const lines = recordFormat('jsonl', selection)
  const table = recordFormat('csv', selection)
  const pages = recordPages(engine, definition, selection)
  const first = await pages.next()
  if (first.done || first.value.length === 0) return { records: 0, rows: 0 }
  let records = 0
  let rows = 0
  const csv = await open(beside, 'w', 0o600)

  async function* read(): AsyncGenerator<string> {
    await csv.appendFile(table.head)
    for (let page = first; !page.done; page = await pages.next()) {
      const taken = page.value
      await csv.appendFile(taken.map((record, at) => table.record(record, records + at)).join(''))
      yield taken.map((record, at) => lines.record(record, records + at)).join('')
      for (const record of taken) rows += rowsIn(record, selection)
      records += taken.length
      onPage(taken.length)
    }
  }

  try {
    await zip.add(`records/${definition.slug}.jsonl`, read())
    await zip.add(`records/${definition.slug}.csv`, createReadStream(beside))
  } finally {
    await csv.close()
    await rm(beside, { force: true })
  }
  return { records, rows }
}

/** All fields that people may see: of what is kept encrypted there would be an empty column. */
export function plainSelection(definition: DocTypeDefinition): Selection {
  const { own, tables } = selectionOf(definition, undefined)
  return {
    own: own.filter(isPlain),
    tables: tables.map((table) => ({ ...table, columns: table.columns.filter(isPlain) })),
  }
}

/** Whether a field is no secret. */
export function isPlain({ type }: Field): boolean {
  return !fieldType(type).secret
}

function rowsIn(record: Readonly<Record<string, unknown>>, { tables }: Selection): number {
  let count = 0
  for (const { field } of tables) {
    const rows = record[field.name]
    if (Array.isArray(rows)) count += rows.length
  }
  return count
}

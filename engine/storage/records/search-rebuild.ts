import { sql } from 'kysely'
import type { DocTypeDefinition } from '../../definition/model/definition.ts'
import type { DatabaseKind, Db } from '../database/database.ts'
import type { Doc } from '../database/document.ts'
import { searchSource } from '../database/search-text.ts'
import { decode, docTable } from './tables.ts'

const BATCH = 500

/** The part of the search index that a rebuild writes. */
export interface RebuiltIndex {
  insert(tx: Db, definition: DocTypeDefinition, doc: Doc): Promise<void>
  clear(tx: Db, definition: DocTypeDefinition): Promise<void>
}

/**
 * Makes the index of every DocType anew whose search fields are not those it was made of: values of a field
 * that is searched no more must not be found (reliability.md M7), those of a new one must. A DocType that is
 * gone for now is made anew when it is back: its table may have been dropped in between, and the numbers of
 * its records begin again.
 */
export async function rebuildChanged(
  tx: Db,
  kind: DatabaseKind,
  definitions: readonly DocTypeDefinition[],
  index: RebuiltIndex,
): Promise<void> {
  const rows = await tx.selectFrom('svc_doctype_numbers').select(['doctype', 'searched']).execute()
  const searched = new Map(rows.map((row) => [row.doctype as string, row.searched as string]))
  for (const definition of definitions) {
    const source = searchSource(definition)
    if (searched.get(definition.doctype) !== source) {
      await rebuild(tx, kind, definition, index)
      await remember(tx, definition.doctype, source)
    }
    searched.delete(definition.doctype)
  }
  for (const [doctype, source] of searched) if (source !== '') await remember(tx, doctype, '')
}

async function rebuild(
  tx: Db,
  kind: DatabaseKind,
  definition: DocTypeDefinition,
  index: RebuiltIndex,
): Promise<void> {
  // A child DocType's rows are found with the record they belong to.
  if (definition.isChild) return
  const { columns } = docTable(definition)
  // A record that another process is writing now would miss the index, or be in it twice.
  if (kind === 'postgres') {
    await sql`lock table ${sql.id(definition.table)} in share mode`.execute(tx)
  }
  await index.clear(tx, definition)
  for (let after = 0; ; ) {
    const rows = await tx
      .selectFrom(definition.table)
      .selectAll()
      .where('rid', '>', after)
      .orderBy('rid')
      .limit(BATCH)
      .execute()
    for (const row of rows) {
      const doc = { ...row, rid: Number(row.rid) } as Doc
      for (const column of columns) doc[column.name] = decode(column, row[column.name])
      await index.insert(tx, definition, doc)
    }
    if (rows.length < BATCH) return
    after = Number(rows[rows.length - 1]!.rid)
  }
}

async function remember(tx: Db, doctype: string, source: string): Promise<void> {
  await tx
    .updateTable('svc_doctype_numbers')
    .set({ searched: source })
    .where('doctype', '=', doctype)
    .execute()
}

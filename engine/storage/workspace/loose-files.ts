import { sql } from 'kysely'
import type { DocTypeDefinition } from '../../definition/model/definition.ts'
import type { Db } from '../database/database.ts'

/** A file, and the record that names it from now on. */
export interface LooseFile {
  readonly id: string
  readonly doctype: string
  readonly name: string
  readonly field: string
  /** Moment of the change, ISO. */
  readonly at: string
}

/** What is told of a file that was attached. */
export interface AttachedFile {
  readonly file_name: string
  readonly file_url: string
  readonly attached_to_doctype: string
  readonly attached_to_name: string
}

/**
 * Makes a file belong to a record, where it belongs to none and `owner` has made it; the DocType is the one that serves
 * files. Undefined where it is not so.
 */
export async function attachLoose(
  tx: Db,
  { table }: DocTypeDefinition,
  { id, doctype, name, field, at }: LooseFile,
  owner: string,
): Promise<AttachedFile | undefined> {
  const { rows } = await sql<AttachedFile>`
    update ${sql.table(table)} set attached_to_doctype = ${doctype}, attached_to_name = ${name},
      attached_to_field = ${field}, modified = ${at}, modified_by = ${owner}, version = version + 1
    where name = ${id} and attached_to_name is null and owner = ${owner}
    returning file_name, file_url, attached_to_doctype, attached_to_name`.execute(tx)
  return rows[0]
}

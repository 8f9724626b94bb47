import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { loadDefinitions } from '../../../engine/definition/load/load.ts'
import type { DocTypeDefinition } from '../../../engine/definition/model/definition.ts'
import type { Database } from '../../../engine/storage/database/database.ts'
import type { Doc } from '../../../engine/storage/database/document.ts'
import { openSqlite } from '../../../engine/storage/database/sqlite.ts'
import { migrate } from '../../../engine/storage/migration/migrate.ts'
import { openPostgres } from '../../../engine/storage/postgres/postgres.ts'
import { type RecordStore, recordStore } from '../../../engine/storage/records/record-store.ts'
import {
  openSearch,
  prepareSearch,
  type SearchIndex,
} from '../../../engine/storage/records/search.ts'
import { SYSTEM_TABLES } from '../../../engine/storage/records/system-tables.ts'
import { docTable, tableShapes } from '../../../engine/storage/records/tables.ts'
import { hooks } from '../../../hooks/index.ts'
import type { TestDatabase } from '../../helpers/databases.ts'

/** The storage of one DocType without the engine above it. */
export interface StoredType {
  readonly database: Database
  readonly definition: DocTypeDefinition
  readonly store: RecordStore
  readonly search: SearchIndex
  /** Inserts a record with these values beside its name, and indexes it. */
  add(name: string, values?: Readonly<Record<string, Doc[string]>>): Promise<Doc>
  /** Removes the record and takes it out of the index. */
  remove(doc: Doc): Promise<void>
}

export function openDatabase(place: TestDatabase): Database {
  return place.kind === 'sqlite' ? openSqlite(place) : openPostgres(place)
}

/** What the YAML of some DocTypes says. */
export function definitionsOf(...yaml: readonly string[]): readonly DocTypeDefinition[] {
  const folder = mkdtempSync(join(tmpdir(), 'svc-doctypes-'))
  try {
    for (const [index, text] of yaml.entries()) writeFileSync(join(folder, `d${index}.yaml`), text)
    return loadDefinitions([folder], hooks).registry.all
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Migrates and opens the index as a start of the workspace does. */
export async function startSearch(
  database: Database,
  definitions: readonly DocTypeDefinition[],
  allowDrop = false,
): Promise<SearchIndex> {
  const { kind } = database
  const wanted = definitions.flatMap((definition) => tableShapes(docTable(definition), kind))
  await migrate(database, [...SYSTEM_TABLES, ...wanted], { allowDrop })
  return database.write(async (tx) => {
    await prepareSearch(tx, kind)
    return openSearch(tx, kind, definitions)
  })
}

/** Starts a workspace of this DocType alone. */
export async function startType(database: Database, yaml: string): Promise<StoredType> {
  const definitions = definitionsOf(yaml)
  return storedType(database, definitions[0]!, await startSearch(database, definitions))
}

export function storedType(
  database: Database,
  definition: DocTypeDefinition,
  search: SearchIndex,
): StoredType {
  const store = recordStore(docTable(definition), database.read, database.kind)
  const time = '2026-01-01T00:00:00.000Z'

  function add(name: string, values: Readonly<Record<string, Doc[string]>> = {}): Promise<Doc> {
    return database.write(async (tx) => {
      const standard = { owner: 'ann', created: time, modified: time, modified_by: 'ann' }
      const doc: Doc = { rid: 0, name, ...standard, docstatus: 0, version: 1, ...values }
      await store.insert(tx, doc)
      await search.insert(tx, definition, doc)
      return doc
    })
  }

  function remove(doc: Doc): Promise<void> {
    return database.write(async (tx) => {
      await store.remove(tx, doc)
      await search.remove(tx, definition, doc)
    })
  }

  return { database, definition, store, search, add, remove }
}

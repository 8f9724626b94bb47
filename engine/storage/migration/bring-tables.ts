import type { DocTypeDefinition } from '../../definition/model/definition.ts'
import type { Registry } from '../../definition/model/registry.ts'
import type { Database } from '../database/database.ts'
import { guardLedgers } from '../records/ledger-guard.ts'
import { prepareSearch } from '../records/search.ts'
import type { TableShape } from '../records/shape.ts'
import { SYSTEM_TABLES } from '../records/system-tables.ts'
import { docTable, tableShapes } from '../records/tables.ts'
import { type ComputedColumns, computedColumns } from './computed-columns.ts'
import { definitionsChecksum, type OwnDefinitions } from './generations.ts'
import { type MigrateOptions, type MigrationResult, migrate } from './migrate.ts'
import { checksumOf } from './schema-store.ts'

/** Every table the workspace wants: the input of a migration. */
export function wantedTables(
  definitions: readonly DocTypeDefinition[],
  kind: Database['kind'],
): TableShape[] {
  return [
    ...SYSTEM_TABLES,
    ...definitions.flatMap((definition) => tableShapes(docTable(definition), kind)),
  ]
}

/**
 * Brings the tables of a database to these definitions, which become its next generation where they are not those that
 * hold, and makes what stands beside them: guards of ledgers, the search index. Throws as `migrate` does.
 */
export async function bringTables(
  database: Database,
  registry: Registry,
  { folders, program }: Pick<OwnDefinitions, 'folders' | 'program'>,
  options: Omit<MigrateOptions, 'definitions'> = {},
): Promise<MigrationResult> {
  const { kind } = database
  const wanted = wantedTables(registry.all, kind)
  const checksum = definitionsChecksum(registry.checksum, checksumOf(wanted))
  const computed = (): ComputedColumns => computedColumns(registry.all)
  const definitions = { checksum, folders, program, computed }
  const result = await migrate(database, wanted, { ...options, definitions })
  if (options.dryRun) return result
  await database.write(async (tx) => {
    const ledgers = registry.all.filter(({ behaviour }) => behaviour.ledger)
    await guardLedgers(
      tx,
      kind,
      ledgers.map(({ table }) => table),
    )
    await prepareSearch(tx, kind)
  })
  return result
}

import { readWorkspaceFile } from '../../engine/access/workspace-file.ts'
import { AppError } from '../../engine/base/errors.ts'
import type { DocTypeDefinition } from '../../engine/definition/definition.ts'
import { isMap } from '../../engine/definition/source.ts'
import type { Context } from '../../engine/documents/context.ts'
import { createDocument } from '../../engine/documents/create.ts'
import { Failure } from '../failure.ts'

type MasterRecord = Readonly<Record<string, unknown>>

interface Masters {
  /** Of the file, for messages. */
  readonly path: string
  readonly records: Readonly<Record<string, readonly MasterRecord[]>>
}

/**
 * Creates the records a new workspace starts with: those of `masters.yaml` in the last of these folders that
 * has one. A record that is there already stays as it is, so that an interrupted setup can be repeated.
 * Returns how many were made.
 */
export async function createMasters(context: Context, folders: readonly string[]): Promise<number> {
  const masters = readMasters(folders)
  if (masters === undefined) return 0
  let made = 0
  for (const [doctype, records] of Object.entries(masters.records)) {
    const definition = context.services.registry.byDoctype(doctype)
    if (!definition)
      throw new Failure(`${masters.path}: there is no DocType ${JSON.stringify(doctype)}`)
    for (const wave of wavesOf(definition, records)) {
      made += await createWave(context, definition, wave)
    }
  }
  return made
}

/**
 * In the order of the file, since `default_from` takes the oldest: the write queue of SQLite keeps the order of
 * what comes at once, PostgreSQL writes it at once.
 */
async function createWave(
  context: Context,
  definition: DocTypeDefinition,
  wave: readonly MasterRecord[],
): Promise<number> {
  const create = (record: MasterRecord): Promise<boolean> =>
    createUnlessThere(context, definition, record)
  if (context.services.database.kind === 'sqlite')
    return (await Promise.all(wave.map(create))).filter(Boolean).length
  let made = 0
  for (const record of wave) made += (await create(record)) ? 1 : 0
  return made
}

/** DocTypes of the records a workspace of these folders starts with. */
export function masterDoctypes(folders: readonly string[]): readonly string[] {
  return Object.keys(readMasters(folders)?.records ?? {})
}

/** Throws DefinitionErrors for what is no YAML, Failure for what holds something else than records. */
function readMasters(folders: readonly string[]): Masters | undefined {
  const file = readWorkspaceFile(folders, 'masters.yaml')
  if (file === undefined) return undefined
  const { path, data } = file
  if (isMap(data) && Object.values(data).every(Array.isArray))
    return { path, records: data as Masters['records'] }
  throw new Failure(`${path}: expected a list of records under each DocType`)
}

/** The records in groups that can be created at once: none links to another of its group. */
function wavesOf(
  { doctype, fields, idField }: DocTypeDefinition,
  records: readonly MasterRecord[],
): MasterRecord[][] {
  const links = fields.filter(({ link }) => link === doctype).map(({ name }) => name)
  const waves: MasterRecord[][] = []
  let names = new Set<unknown>()
  for (const record of records) {
    const last = waves.at(-1)
    if (last && !links.some((name) => names.has(record[name]))) last.push(record)
    else {
      waves.push([record])
      names = new Set()
    }
    names.add(record[idField])
  }
  return waves
}

/** Creates a record; false when its name is taken. */
export async function createUnlessThere(
  context: Context,
  definition: DocTypeDefinition,
  record: MasterRecord,
): Promise<boolean> {
  try {
    await createDocument(context, definition, record)
    return true
  } catch (error) {
    if (error instanceof AppError && error.code === 'CONFLICT') return false
    throw error
  }
}

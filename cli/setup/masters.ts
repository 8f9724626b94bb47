import { join } from 'node:path'
import { AppError } from '../../engine/base/errors.ts'
import { yamlLibrary } from '../../engine/base/lazy-libraries.ts'
import { fileSystem } from '../../engine/base/packaged-files.ts'
import type { DocTypeDefinition } from '../../engine/definition/definition.ts'
import type { Context } from '../../engine/documents/context.ts'
import { createDocument } from '../../engine/documents/create.ts'
import { Failure } from '../failure.ts'

type MasterRecord = Readonly<Record<string, unknown>>

/**
 * Creates the records a new workspace starts with: those of `masters.yaml` in the last of these folders that
 * has one. A record that is there already stays as it is, so that an interrupted setup can be repeated.
 * Returns how many were made.
 */
export async function createMasters(context: Context, folders: readonly string[]): Promise<number> {
  const file = mastersFile(folders)
  if (file === undefined) return 0
  let made = 0
  for (const [doctype, records] of Object.entries(readMasters(file))) {
    const definition = context.services.registry.byDoctype(doctype)
    if (!definition) throw new Failure(`${file}: there is no DocType ${JSON.stringify(doctype)}`)
    for (const wave of wavesOf(definition, records)) {
      const results = await Promise.all(
        wave.map((record) => createUnlessThere(context, definition, record)),
      )
      made += results.filter(Boolean).length
    }
  }
  return made
}

/** DocTypes of the records a workspace of these folders starts with. */
export function masterDoctypes(folders: readonly string[]): readonly string[] {
  const file = mastersFile(folders)
  return file === undefined ? [] : Object.keys(readMasters(file))
}

function mastersFile(folders: readonly string[]): string | undefined {
  return folders
    .map((folder) => join(folder, 'masters.yaml'))
    .findLast((path) => fileSystem.exists(path))
}

function readMasters(file: string): Readonly<Record<string, readonly MasterRecord[]>> {
  const content: unknown = yamlLibrary().parse(fileSystem.bytes(file).toString(), {
    maxAliasCount: 0,
  })
  const isMasters =
    typeof content === 'object' && content !== null && Object.values(content).every(Array.isArray)
  if (isMasters) return content as Record<string, readonly MasterRecord[]>
  throw new Failure(`${file}: expected a list of records under each DocType`)
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

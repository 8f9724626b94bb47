import { join } from 'node:path'
import { isoDateTime, systemClock } from '../../../engine/base/clock.ts'
import type { Engine } from '../../../engine/index.ts'
import type { ContentStore } from '../../../server/files/content-store.ts'
import { writeNewFile } from '../../new-file.ts'
import { SHIPPED_DOCTYPES } from '../../package.ts'
import type { Workspace } from '../../workspace.ts'
import { addFiles } from './attached-files.ts'
import { fieldsTable, resourcesTable, type TakenResource } from './contents-tables.ts'
import { addDefinitions, only } from './own-definitions.ts'
import { readme, type Taken } from './readme.ts'
import { addRecords } from './record-files.ts'
import { writeZip, type Zip } from './zip-file.ts'

/** Where everything of a workspace is, and how far its taking is to be told. */
export interface Everything {
  readonly engine: Engine
  readonly workspace: Pick<Workspace, 'dataFolder' | 'doctypes'>
  readonly contents: ContentStore
  readonly onProgress: (done: number, what: string) => void
}

/**
 * Writes everything of a workspace into one zip, as plain data: records, files, definitions, and what they mean. Memory
 * does not grow with it. The file gets its name only when it is whole.
 */
export function takeEverything(
  everything: Everything,
  target: string,
  force: boolean,
): Promise<Taken> {
  return writeNewFile(target, force, (temporary) =>
    writeZip(temporary, (zip) => fill(zip, everything, `${temporary}-csv`)),
  )
}

async function fill(
  zip: Zip,
  { engine, workspace, contents, onProgress }: Everything,
  beside: string,
): Promise<Taken> {
  const from = isoDateTime(systemClock)
  const resources: TakenResource[] = []
  let done = 0
  for (const definition of engine.services.registry.all) {
    const counted = await addRecords(zip, engine, definition, beside, (records) => {
      done += records
      onProgress(done, 'records')
    })
    resources.push({ definition, ...counted })
  }
  let files = 0
  const taken = await addFiles(zip, engine, contents, () => {
    files += 1
    onProgress(files, 'files')
  })
  const definitions = await addDefinitions(zip, foldersOf(workspace))
  await zip.add('resources.csv', only(resourcesTable(resources)))
  await zip.add('fields.csv', only(fieldsTable(resources)))
  const all: Taken = { resources, ...taken, definitions, from, to: isoDateTime(systemClock) }
  await zip.add('README.txt', only(readme(all)))
  return all
}

/** Folders of definitions that are not shipped, by their names in the zip: those of the workspace itself, and what lies over the shipped ones. */
function foldersOf({
  dataFolder,
  doctypes,
}: Everything['workspace']): readonly (readonly [string, string])[] {
  const own = join(dataFolder, 'doctypes')
  const overlays = doctypes.filter((folder) => folder !== SHIPPED_DOCTYPES && folder !== own)
  return [['own', own], ...overlays.map((folder, at) => [`overlay-${at + 1}`, folder] as const)]
}

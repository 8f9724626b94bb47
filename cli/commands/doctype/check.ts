import { resolve } from 'node:path'
import { loadChecked } from '../../../engine/index.ts'
import { definitionFolders, locateWorkspace, type WorkspaceFlags } from '../../workspace.ts'

/** `svc doctype check`: throws DefinitionErrors with every mistake, else prints one line. */
export function checkDocTypes(folder: string | undefined, flags: WorkspaceFlags): void {
  const loaded = definitionFolders(locateWorkspace(flags))
  const extra = folder === undefined ? [] : [resolve(folder)].filter((f) => !loaded.includes(f))
  const folders = [...loaded, ...extra]
  const { registry } = loadChecked(folders)
  const count = (number: number, noun: string): string =>
    `${number} ${noun}${number === 1 ? '' : 's'}`
  console.log(
    `${count(registry.all.length, 'DocType')} in ${count(folders.length, 'folder')}, no mistakes`,
  )
}

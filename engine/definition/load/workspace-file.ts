import { join } from 'node:path'
import { fileSystem } from '../../base/packaged-files.ts'
import { DefinitionErrors } from '../yaml/problems.ts'
import { readSource, type SourceFile } from '../yaml/source.ts'

/** A YAML file that stands beside the DocTypes, such as `roles.yaml`, with its content. */
export interface WorkspaceFile extends SourceFile {
  readonly data: unknown
}

/**
 * The file of that name in the last of the folders that has one, whole: files of earlier folders do not shine
 * through. Undefined where none has one. Throws DefinitionErrors with the places of what is no YAML.
 */
export function readWorkspaceFile(
  folders: readonly string[],
  name: string,
): WorkspaceFile | undefined {
  const path = folders.map((folder) => join(folder, name)).findLast((one) => fileSystem.exists(one))
  if (path === undefined) return undefined
  const text = fileSystem.bytes(path).toString()
  const { data, problems } = readSource({ path, text })
  if (problems.length > 0) throw new DefinitionErrors(problems)
  return { path, text, data }
}

import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import { loadRoles } from '../../../engine/access/load-roles.ts'
import { grantsByRole } from '../../../engine/access/roles.ts'
import { fileProblem } from '../../../engine/base/file-error.ts'
import { loadDefinitions } from '../../../engine/definition/load/load.ts'
import { hooks } from '../../../hooks/index.ts'
import { compareDocTypes, countDifferences, type Side } from '../../doctype-diff/compare.ts'
import { differencesMarkdown } from '../../doctype-diff/markdown.ts'
import { Failure } from '../../failure.ts'
import { SHIPPED_DOCTYPES } from '../../package.ts'
import { printJson } from '../../terminal/output.ts'

export interface DiffFlags {
  readonly alone?: boolean
  readonly json?: boolean
  readonly exitCode?: boolean
}

/**
 * `svc doctype diff OLD NEW`: what differs between two folders of DocTypes, as a release note or as JSON. With one folder
 * it is what that one changes of the shipped ones. Throws Failure for what is no folder, DefinitionErrors for mistakes.
 */
export function diffDocTypes(
  older: string,
  newer: string | undefined,
  { alone = false, json = false, exitCode = false }: DiffFlags,
): void {
  const shipped = alone && newer !== undefined ? [] : [SHIPPED_DOCTYPES]
  const [first, last] = [folderOf(older), folderOf(newer ?? older)]
  const before = sideOf(newer === undefined ? shipped : [...shipped, first])
  const after = sideOf([...(alone ? [] : shipped), last])
  const differences = compareDocTypes(before, after)
  const count = countDifferences(differences)
  if (json) printJson({ differences: count, ...differences })
  else process.stdout.write(differencesMarkdown(differences))
  if (exitCode && count > 0) process.exitCode = 1
}

function folderOf(path: string): string {
  const folder = resolve(path)
  try {
    if (statSync(folder).isDirectory()) return folder
  } catch (error) {
    throw new Failure(`cannot read ${folder}: ${fileProblem(error)}`, { cause: error })
  }
  throw new Failure(`expected a folder of DocTypes, got the file ${folder}`)
}

function sideOf(folders: readonly string[]): Side {
  const { registry } = loadDefinitions(folders, hooks)
  const roles = loadRoles(folders, registry.vocabulary.modules)
  return {
    definitions: registry.all,
    rightsOf: (definition) => grantsByRole(roles, definition),
  }
}

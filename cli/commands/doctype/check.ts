import { resolve } from 'node:path'
import { DefinitionErrors, formatProblem } from '../../../engine/definition/yaml/problems.ts'
import { checkDefinitions } from '../../../server/studio/check-definitions.ts'
import { Failure } from '../../failure.ts'
import { counted, printJson } from '../../terminal/output.ts'
import type { WorkspaceFlags } from '../../workspace.ts'
import { definitionSources, locateWorkspace } from '../../workspace.ts'

/**
 * `svc doctype check`: throws DefinitionErrors with every mistake, else prints the warnings and one line. For programs the
 * mistakes and warnings are in the JSON, and what is thrown only says how many.
 */
export function checkDocTypes(
  folder: string | undefined,
  { json = false, ...flags }: WorkspaceFlags & { readonly json?: boolean },
): void {
  const sources = definitionSources(locateWorkspace(flags))
  const loaded = sources.doctypes
  const extra = folder === undefined ? [] : [resolve(folder)].filter((f) => !loaded.includes(f))
  const folders = [...loaded, ...extra]
  try {
    const { registry, warnings } = checkDefinitions({ ...sources, doctypes: folders })
    const doctypes = registry.all.length
    if (json) printJson({ ok: true, doctypes, folders, problems: [], warnings })
    else {
      for (const warning of warnings) console.log(formatProblem(warning))
      const found = warnings.length === 0 ? '' : `, ${counted(warnings.length, 'warning')}`
      console.log(
        `${counted(doctypes, 'DocType')} in ${counted(folders.length, 'folder')}, no mistakes${found}`,
      )
    }
  } catch (error) {
    if (!json || !(error instanceof DefinitionErrors)) throw error
    const { problems } = error
    printJson({ ok: false, doctypes: null, folders, problems, warnings: [] })
    throw new Failure(`${counted(problems.length, 'mistake')}, see the JSON`, { cause: error })
  }
}

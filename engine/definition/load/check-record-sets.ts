import { join } from 'node:path'
import { fileSystem } from '../../base/packaged-files.ts'
import { suggest } from '../../base/suggest.ts'
import type { Field } from '../../fields/field.ts'
import type { DocTypeDefinition } from '../model/definition.ts'
import type { Registry } from '../model/registry.ts'
import type { Path } from '../yaml/parse.ts'
import { DefinitionErrors, type DefinitionProblem } from '../yaml/problems.ts'
import { createPlaces, isMap } from '../yaml/source.ts'
import { DIALECTS, listRecordSets, RECORD_SETS, type RecordSet } from './record-sets.ts'

/**
 * Problems of the sets of records below `setup/`: what is no set, DocTypes and fields that are not there. Nobody
 * reads them at a start, so `svc doctype check` does. Whether the values fit is seen when they are made.
 */
export function recordSetProblems(
  folders: readonly string[],
  registry: Registry,
): readonly DefinitionProblem[] {
  try {
    return kindsIn(folders)
      .flatMap((kind) => listRecordSets(folders, kind))
      .flatMap((set) => problemsOf(set, registry))
  } catch (error) {
    if (error instanceof DefinitionErrors) return error.problems
    throw error
  }
}

function kindsIn(folders: readonly string[]): readonly string[] {
  const kinds = folders
    .map((folder) => join(folder, RECORD_SETS))
    .filter((folder) => fileSystem.exists(folder))
    .flatMap((folder) => fileSystem.list(folder))
    .filter(({ name, isFolder }) => isFolder && name !== DIALECTS && !name.startsWith('.'))
  return [...new Set(kinds.map(({ name }) => name))].sort()
}

function problemsOf(
  { path, text, records, rows }: RecordSet,
  registry: Registry,
): DefinitionProblem[] {
  const places = createPlaces()
  const problems: DefinitionProblem[] = []
  const report = (at: Path, message: string): void => {
    problems.push({ ...places.in([{ path, text }], at, 'key'), message })
  }
  for (const [doctype, list] of Object.entries(records)) {
    const definition = registry.byDoctype(doctype)
    if (!definition || definition.isChild) {
      report(['records', doctype], `there is no DocType ${doctype}`)
      continue
    }
    for (const [index, record] of list.entries())
      checkFields(definition, record, ['records', doctype, index], report)
  }
  for (const [doctype, named] of Object.entries(rows)) {
    const definition = registry.byDoctype(doctype)
    if (!definition || definition.isChild)
      report(['rows', doctype], `there is no DocType ${doctype}`)
    else
      for (const [name, tables] of Object.entries(named))
        checkFields(definition, tables, ['rows', doctype, name], report)
  }
  return problems
}

function checkFields(
  { fields, naming }: Pick<DocTypeDefinition, 'fields' | 'naming'>,
  record: Readonly<Record<string, unknown>>,
  path: Path,
  report: (at: Path, message: string) => void,
): void {
  const known = new Map(fields.map((field): [string, Field] => [field.name, field]))
  for (const [name, value] of Object.entries(record)) {
    const field = known.get(name)
    if (!field && !(name === 'name' && naming.kind === 'prompt')) {
      const near = suggest(name, known.keys())
      report([...path, name], `no such field${near === undefined ? '' : `; did you mean ${near}?`}`)
    }
    if (!field?.child || !Array.isArray(value)) continue
    for (const [row, cells] of value.entries())
      if (isMap(cells))
        checkFields(
          { fields: field.child.fields, naming: { kind: 'uuid' } },
          cells,
          [...path, name, row],
          report,
        )
  }
}

import { relative } from 'node:path'
import { type WrittenDocType, writtenDocType } from '../../definition/load/load.ts'
import type { DocTypeDefinition } from '../../definition/model/definition.ts'
import type { Services } from '../work/context.ts'
import type { Where } from './explanation.ts'

/** Finder of places in the YAML: reads the files of a DocType when the first place in them is asked for. */
export interface YamlPlaces {
  /** Where a DocType says something, with the text of it; undefined where its files cannot be read any more. */
  find(
    definition: DocTypeDefinition,
    path: readonly (string | number)[],
    text: string,
  ): Where | undefined
}

/** Finder of places for one request: places are rarely asked for, and all of them take more memory than the rules. */
export function createPlaces({
  folders,
  registry,
}: Pick<Services, 'folders' | 'registry'>): YamlPlaces {
  const known = new Map<string, ReturnType<typeof writtenDocType>>()

  function writtenOf(definition: DocTypeDefinition): ReturnType<typeof writtenDocType> {
    const { doctype } = definition
    if (!known.has(doctype)) known.set(doctype, writtenDocType(definition))
    return known.get(doctype)
  }

  return {
    find(definition, path, text) {
      const shared = sharedRows(registry, definition, path)
      const written = writtenOf(shared?.definition ?? definition)
      if (!written) return undefined
      const { file, line } = (written as WrittenDocType).placeOf(shared?.path ?? path)
      const folder = folders.findLast((one) => !relative(one, file).startsWith('..'))
      return {
        file: (folder === undefined ? file : relative(folder, file)).replaceAll('\\', '/'),
        line: written.isAsLoaded ? line : null,
        text,
      }
    },
  }
}

/** The place of a column whose rows have a file of their own: it stands there, not in the table's file. */
function sharedRows(
  { byDoctype }: Services['registry'],
  { fields }: DocTypeDefinition,
  [, table, ...inRow]: readonly (string | number)[],
):
  | { readonly definition: DocTypeDefinition; readonly path: readonly (string | number)[] }
  | undefined {
  const child = fields.find(({ name }) => name === table)?.child
  const definition = child && inRow[0] === 'fields' ? byDoctype(child.name) : undefined
  return definition && { definition, path: inRow }
}

import { basename, relative } from 'node:path'
import type { DocTypeDefinition } from '../model/definition.ts'
import type { Registry } from '../model/registry.ts'
import type { Path } from '../yaml/parse.ts'
import { readDocTypeFiles, type WrittenDocType, writtenDocType } from './load.ts'

/** Place in the YAML that says something, with what it says. */
export interface Where {
  /** Below its folder of DocTypes: `billing/sales-invoice.yaml`; that of the block, for what a block says. */
  readonly file: string
  /** Counted from 1; null where the files have changed since they were loaded. */
  readonly line: number | null
  readonly text: string
}

/** Finder of places in the files of DocTypes, which are read when one is asked for: nothing is kept for it at a load. */
export interface WrittenPlaces {
  /** Where a DocType says something, with the text of it; undefined where its files cannot be read any more. */
  find(definition: DocTypeDefinition, path: Path, text: string): Where | undefined
}

interface Known {
  readonly written: WrittenDocType
  /** Of the texts that it was read from. */
  readonly checksum: string
}

/** The finder of one set of definitions. What it has parsed is kept until memory is short, and while no file changes. */
export function createWrittenPlaces(
  folders: readonly string[],
  { byDoctype }: Pick<Registry, 'byDoctype'>,
): WrittenPlaces {
  const parsed = new Map<string, WeakRef<Known>>()

  function writtenOf(definition: DocTypeDefinition): Known | undefined {
    const { doctype } = definition
    const files = readDocTypeFiles(definition)
    if (!files) return undefined
    const known = parsed.get(doctype)?.deref()
    if (known?.checksum === files.checksum) return known
    const written = writtenDocType(doctype, files.sources)
    if (!written) return undefined
    const made: Known = { written, checksum: files.checksum }
    parsed.set(doctype, new WeakRef(made))
    return made
  }

  return {
    find(definition, path, text) {
      const shared = sharedRows(byDoctype, definition, path)
      const owner = shared?.definition ?? definition
      const known = writtenOf(owner)
      if (!known) return undefined
      const { file, line } = known.written.placeOf(shared?.path ?? path)
      const folder = folders.findLast((one) => !relative(one, file).startsWith('..'))
      return {
        file: (folder === undefined ? basename(file) : relative(folder, file)).replaceAll(
          '\\',
          '/',
        ),
        line: known.checksum === owner.filesChecksum ? line : null,
        text,
      }
    },
  }
}

/** The place of a column whose rows have a file of their own: it stands there, not in the table's file. */
function sharedRows(
  byDoctype: Registry['byDoctype'],
  { fields }: DocTypeDefinition,
  [, table, ...inRow]: Path,
): { readonly definition: DocTypeDefinition; readonly path: Path } | undefined {
  const child = fields.find(({ name }) => name === table)?.child
  const definition = child && inRow[0] === 'fields' ? byDoctype(child.name) : undefined
  return definition && { definition, path: inRow }
}

import { readDocTypeFiles, writtenDocType } from '../../engine/definition/load/load.ts'
import type { DocTypeDefinition } from '../../engine/definition/model/definition.ts'
import type { SourceFile, YamlMap } from '../../engine/definition/yaml/source.ts'
import { isBelow, newFileFor, ownFilesOf } from './own-folder.ts'

/** The file through which a DocType is changed, and what is changed by it. */
export interface EditedFile {
  readonly doctype: string
  /** `own`: the file is the definition; `overlay`: it changes one that stands elsewhere. */
  readonly kind: 'own' | 'overlay'
  readonly path: string
  /** What stands in it now; null where it is yet to be made. */
  readonly text: string | null
  /** Definition without this file, its blocks taken in; undefined of an own one. */
  readonly base: YamlMap | undefined
  /** Definition as it is now: of an own one what its file says; undefined of a DocType that is yet to be made. */
  readonly definition: YamlMap | undefined
  /** All files that say something of it, the edited one among them. */
  readonly sources: readonly SourceFile[]
}

/**
 * Finds the file: the last of the workspace's own that says something of the DocType, else a new one. What comes with the
 * program or stands in another folder is changed by an overlay and never itself. Files are read as they are now.
 */
export function editedFile(
  doctype: string,
  known: DocTypeDefinition | undefined,
  folder: string,
): EditedFile {
  const own = ownFilesOf(folder, doctype)
  const last = own.at(-1)
  const declared = own.some((file) => !file.extends)
  const files = known ? (readDocTypeFiles(known)?.sources ?? []) : []
  const others = files.filter(({ path }) => !own.some((file) => file.path === path))
  // A file of the folder that replaces the definition leaves nothing of it; blocks stay.
  const before = declared ? others.filter((file) => !saysOf(file, doctype)) : others
  const sources = [...before, ...own]
  if (last && !last.extends)
    return {
      ...{ doctype, kind: 'own', path: last.path, text: last.text },
      ...{ base: undefined, definition: last.data, sources },
    }
  const rest = [...before, ...own.slice(0, -1)]
  const base = writtenDocType(doctype, rest)?.data
  const definition = last ? writtenDocType(doctype, sources)?.data : base
  return {
    doctype,
    kind: base || last ? 'overlay' : 'own',
    path: last?.path ?? newFileFor(folder, doctype),
    text: last?.text ?? null,
    base,
    definition,
    sources: sources.filter(({ path }) => isBelow(folder, path) || known !== undefined),
  }
}

function saysOf({ text }: SourceFile, doctype: string): boolean {
  return new RegExp(`^doctype:\\s*["']?${doctype}["']?\\s*(?:#.*)?$`, 'm').test(text)
}

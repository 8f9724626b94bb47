import { join } from 'node:path'
import { shown } from '../../engine/base/shown.ts'
import { overlayOf } from '../../engine/definition/edit/overlay-of.ts'
import { yamlText } from '../../engine/definition/edit/yaml-text.ts'
import { MAX_FILE_BYTES } from '../../engine/definition/yaml/parse.ts'
import { isMap, readSource, type YamlMap } from '../../engine/definition/yaml/source.ts'
import type { EditedFile } from './edited-file.ts'
import { textAt } from './own-folder.ts'

/** Most fields of a DocType (`fields` in the grammar). */
const MOST_FIELDS = 500

/** What somebody wants of a DocType. */
export interface Wanted {
  /** The whole definition; or else the text of the file. */
  readonly definition?: YamlMap | undefined
  readonly text?: string | undefined
  /** Heading of the module, where there is none of the name yet. */
  readonly moduleLabel?: string | undefined
}

/** A file as it shall be; null takes it away. */
export interface WantedFile {
  readonly path: string
  readonly before: string | null
  readonly text: string | null
}

/** The files that make a wish true, and what they cannot say. */
export interface WantedFiles {
  readonly file: WantedFile
  /** The modules of the workspace, where one is added. */
  readonly others: readonly WantedFile[]
  readonly problems: readonly { readonly field: string; readonly message: string }[]
}

/** Works out what has to stand in the file of a DocType, and in that of the modules. */
export function wantedFiles(
  edited: EditedFile,
  wanted: Wanted,
  folder: string,
  modules: ReadonlyMap<string, string>,
): WantedFiles {
  const { text, problems } = textOf(edited, wanted)
  const file = { path: edited.path, before: edited.text, text }
  return { file, others: modulesFile(wanted, text, folder, modules), problems }
}

interface TextOf {
  readonly text: string | null
  readonly problems: WantedFiles['problems']
}

function textOf(edited: EditedFile, { text, definition = {} }: Wanted): TextOf {
  if (text !== undefined) return { text, problems: wrongText(edited, text) }
  const { base, doctype, text: before } = edited
  const { doctype: _name, extend: _extend, ...own } = definition
  const excess = tooMuch(own)
  if (excess) return { text: before, problems: [excess] }
  if (!base) return { text: yamlText(before ?? undefined, { doctype, ...own }), problems: [] }
  const { data, problems } = overlayOf(base, { doctype, ...own })
  const isNothing = Object.keys(data).length === 0
  const overlay = { doctype, extend: true, ...inOrder(data, before) }
  return {
    text: isNothing ? null : yamlText(before ?? undefined, overlay),
    problems: problems.map(({ path, message }) => ({ field: path.join('.'), message })),
  }
}

/** A text has to be about this DocType, and may not take the place of a definition that stands elsewhere. */
function wrongText({ doctype, kind }: EditedFile, text: string): WantedFiles['problems'] {
  const { data } = readSource({ path: '', text })
  // What is no YAML at all is told by the check, with its place.
  if (!isMap(data)) return []
  if (data.doctype !== doctype)
    return [
      { field: 'doctype', message: `expected doctype: ${doctype}, got ${shown(data.doctype)}` },
    ]
  if (kind === 'overlay' && data.extend !== true)
    return [
      {
        field: 'extend',
        message:
          'expected extend: true: a definition that stands elsewhere is changed, not replaced',
      },
    ]
  return []
}

function tooMuch(definition: YamlMap): WantedFiles['problems'][number] | undefined {
  const { fields } = definition
  if (isMap(fields) && Object.keys(fields).length > MOST_FIELDS)
    return { field: 'fields', message: `expected at most ${MOST_FIELDS} fields` }
  if (JSON.stringify(definition).length > MAX_FILE_BYTES)
    return { field: 'definition', message: `expected at most ${MAX_FILE_BYTES / 1024} KB` }
  return undefined
}

/** The words in the order in which the file has them, so that what is the same stays where it is. */
function inOrder(data: YamlMap, before: string | null): YamlMap {
  const old = before === null ? undefined : readSource({ path: '', text: before }).data
  if (!isMap(old)) return data
  const known = Object.keys(old).filter((word) => Object.hasOwn(data, word))
  return { ...Object.fromEntries(known.map((word) => [word, data[word]])), ...data }
}

function modulesFile(
  { moduleLabel }: Wanted,
  text: string | null,
  folder: string,
  modules: ReadonlyMap<string, string>,
): readonly WantedFile[] {
  if (moduleLabel === undefined || text === null) return []
  const { data } = readSource({ path: '', text })
  const module = isMap(data) ? data.module : undefined
  if (typeof module !== 'string' || modules.has(module)) return []
  const path = join(folder, 'modules.yaml')
  const before = textAt(path)
  const old = before === null ? undefined : readSource({ path, text: before }).data
  const own = isMap(old) && isMap(old.modules) ? old.modules : {}
  const all = { modules: { ...own, [module]: moduleLabel } }
  return [{ path, before, text: yamlText(before ?? undefined, all) }]
}

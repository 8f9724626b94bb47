import { hash } from 'node:crypto'
import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
} from 'node:fs'
import { basename, join, relative, sep } from 'node:path'
import { fileProblem } from '../../engine/base/file-error.ts'
import { isCarried } from '../../engine/base/packaged-files.ts'
import { replaceFile } from '../../engine/base/replace-file.ts'
import { readFolders } from '../../engine/definition/load/folders.ts'
import { kebab } from '../../engine/definition/normalise/slug.ts'
import { isMap, readSource, type SourceFile } from '../../engine/definition/yaml/source.ts'

/** A file of the workspace's own folder that says something of a DocType. */
export interface OwnFile extends SourceFile {
  /** Whether it changes a definition instead of being one. */
  readonly extends: boolean
  readonly data: Readonly<Record<string, unknown>>
}

/** What stands in a file, to be told from what somebody writes meanwhile: SHA-256 in hex; null for no file. */
export function hashOf(text: string | null): string | null {
  return text === null ? null : hash('sha256', text)
}

/** The text of a file; null where there is none. */
export function textAt(path: string): string | null {
  return existsSync(path) ? readFileSync(path, 'utf8') : null
}

/** Why nothing can be written to a folder; undefined where it can. */
export function whyNotWritable(folder: string): string | undefined {
  if (isCarried(folder)) return `${folder} comes with the program`
  try {
    mkdirSync(folder, { recursive: true })
    accessSync(folder, constants.W_OK)
    return undefined
  } catch (error) {
    return `${folder} cannot be written to: ${fileProblem(error)}`
  }
}

/** The files of a folder about a DocType, in the order in which they are read; those that cannot be read are left out. */
export function ownFilesOf(folder: string, doctype: string): readonly OwnFile[] {
  if (!existsSync(folder)) return []
  const [files = []] = readFolders([folder]).layers
  return files
    .flatMap((file) => {
      const { data } = readSource(file)
      if (!isMap(data) || data.doctype !== doctype) return []
      return [{ ...file, data, extends: data.extend === true }]
    })
    .toSorted((a, b) => Number(a.extends) - Number(b.extends))
}

/** Names at the top of a folder of definitions that stand for something else than a DocType (`engine/definition/load/folders.ts`). */
const TAKEN =
  /^(?:modules|plans|roles|addons|colors|masters|demo-company|reports|labels|workspaces|blocks)$/

/** Path of a new file for a DocType, whose name has letters, digits, spaces and dashes alone. */
export function newFileFor(folder: string, doctype: string): string {
  const name = kebab(doctype)
  const tried = [
    name,
    `${name}-doctype`,
    ...Array.from({ length: 99 }, (_, at) => `${name}-${at + 2}`),
  ]
  const free = tried.find((one) => !TAKEN.test(one) && !existsSync(join(folder, `${one}.yaml`)))
  return join(folder, `${free ?? name}.yaml`)
}

/** Writes a file as a whole, or removes it. Throws what the disk says. */
export function put(path: string, text: string | null): void {
  if (text === null) rmSync(path, { force: true })
  else replaceFile(path, text, 0o644)
}

/** Digest of all that stands in a folder, hidden files apart. */
export function folderDigest(folder: string): string {
  if (!existsSync(folder)) return ''
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .filter(
      (path) =>
        !relative(folder, path)
          .split(sep)
          .some((part) => part.startsWith('.')),
    )
    .sort()
  return hash('sha256', JSON.stringify(files.map((path) => [path, hashOf(textAt(path))])))
}

/** Path below the folder of definitions that a file is in, as people read it. */
export function shownPath(folders: readonly string[], path: string): string {
  const folder = folders.findLast((one) => isBelow(one, path))
  return (folder === undefined ? basename(path) : relative(folder, path)).replaceAll('\\', '/')
}

/** Whether a path is in a folder or a folder of it. */
export function isBelow(folder: string, path: string): boolean {
  return path.startsWith(folder.endsWith(sep) ? folder : folder + sep)
}

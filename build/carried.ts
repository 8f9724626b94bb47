import { hash } from 'node:crypto'
import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'
import { gzipSync } from 'node:zlib'
import { BINARY_FOLDER, libraryFile } from '../engine/base/packaged-files.ts'
import { cacheFileName, cacheFileText } from '../engine/definition/load/cache.ts'
import { definitionsKey } from '../engine/definition/load/cache-key.ts'
import { fileNames } from '../engine/definition/load/file-names.ts'
import {
  filesThatDecide,
  readReportFiles,
  readWorkspaceFiles,
} from '../engine/definition/load/folders.ts'
import { loadLayers } from '../engine/definition/load/load.ts'
import { readWithVocabulary } from '../engine/definition/load/vocabulary.ts'
import type { SourceFile } from '../engine/definition/yaml/source.ts'
import { checkedProgram } from '../engine/index.ts'
import { checkReportTexts } from '../engine/reports/compile/load.ts'
import { hooks } from '../hooks/index.ts'
import { FACES, faceFile } from '../server/print/pdf-process.ts'
import { VIEWER_FILES } from '../server/reference/raw.ts'
import { deskFiles } from './desk.ts'

/** A file the binary carries: its name in it → where it lies now. */
export type CarriedFiles = Readonly<Record<string, string>>

/** Files of libraries that are seldom needed and carried packed (`libraryBytes`). */
const PACKED_FILES = [
  '@cf-wasm/photon/photon.wasm',
  ...FACES.map(faceFile),
  ...VIEWER_FILES.map((name) => `swagger-ui-dist/${name}`),
]

export interface CarriedOptions {
  /** Folder of the checkout. */
  readonly root: string
  /** Folder for files that are made here. */
  readonly folder: string
  readonly code: string
  readonly commit: string
  /** `linux-x64`: whose SQLite is carried. */
  readonly target: string
}

/** Every file that the program reads of itself (engine/base/packaged-files.ts). */
export function carriedFiles({ root, folder, code, commit, target }: CarriedOptions): CarriedFiles {
  const names = [
    ...globSync('{doctypes/**,labels}/*.yaml', { cwd: root }).map((name) =>
      name.split(sep).join('/'),
    ),
    ...globSync('{server/pages/assets/*,docs/{,modules/,doctypes/**/}*.md,docs/desk/*.webp}', {
      cwd: root,
    }).map((name) => name.split(sep).join('/')),
    `node_modules/better-sqlite3/prebuilds/${target}.node`,
    ...deskFiles(root),
  ].sort()
  const about = description(root, commit, code)
  const made = { 'package.json': about, ...checkedDefinitions(root, about) }
  return {
    ...Object.fromEntries(names.map((name) => [name, join(root, name)])),
    ...Object.fromEntries(
      PACKED_FILES.map((name) => [
        `node_modules/${name}`,
        write(
          join(folder, 'packed', name),
          gzipSync(readFileSync(libraryFile(name)), { level: 9 }),
        ),
      ]),
    ),
    ...Object.fromEntries(
      Object.entries(made).map(([name, text]) => [name, write(join(folder, name), text)]),
    ),
  }
}

/** The package.json of the binary: what `svc --version` says, and the checksum of all code. */
function description(root: string, commit: string, code: string): string {
  const { name, version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  return JSON.stringify({ name, version, commit, code: hash('sha256', code) })
}

/** The shipped definitions as a start would keep them (docs/decisions/0015), which spares the first one the work. */
function checkedDefinitions(root: string, about: string): Readonly<Record<string, string>> {
  const folders = [join(root, 'doctypes')]
  const names = fileNames([join(BINARY_FOLDER, 'doctypes')])
  const inBinary = (layers: readonly (readonly SourceFile[])[]): SourceFile[][] =>
    layers.map((files) =>
      files.map(({ path, text }) => ({ path: join(BINARY_FOLDER, relative(root, path)), text })),
    )
  const files = readWithVocabulary(folders, hooks)
  const loaded = loadLayers(inBinary(files.layers), files.vocabulary, files.problems)
  checkedProgram(loaded)
  const reports = readReportFiles(folders)
  checkReportTexts(
    { ...reports, layers: inBinary(reports.layers), blocks: inBinary(reports.blocks) },
    loaded.registry,
  )
  const key = definitionsKey(
    inBinary(filesThatDecide(files, reports, readWorkspaceFiles(folders))),
    hooks,
    names,
    hash('sha256', about),
  )!
  return { [`cache/${cacheFileName(key)}`]: cacheFileText(key, loaded.definitions, names) }
}

function write(file: string, content: string | Buffer): string {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, content)
  return file
}

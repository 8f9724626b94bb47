import { join, relative } from 'node:path'
import { fileProblem } from '../../base/file-error.ts'
import { fileSystem } from '../../base/packaged-files.ts'
import { MAX_FILE_BYTES } from '../yaml/parse.ts'
import type { DefinitionProblem } from '../yaml/problems.ts'
import type { SourceFile } from '../yaml/source.ts'
import { RECORD_SETS } from './record-sets.ts'

/** The folder of reports, beside the modules. */
const REPORTS = 'reports'
/** The folder of blocks, beside the modules. */
const BLOCKS = 'blocks'
/** The folder of workspaces. */
const WORKSPACES = 'workspaces'
/** The folder of translated labels. */
const LABELS = 'labels'
/** Modules of a folder, and the plans whose tiers DocTypes name. */
const MODULES = 'modules.yaml'
const PLANS = 'plans.yaml'
/** Files and folders beside the modules that are not DocTypes. */
const NOT_DOCTYPES: ReadonlySet<string> = new Set([
  MODULES,
  PLANS,
  'roles.yaml',
  'addons.yaml',
  'colors.yaml',
  'masters.yaml',
  'demo-company.yaml',
  REPORTS,
  LABELS,
  WORKSPACES,
])
const MAX_FOLDER_DEPTH = 8

export interface ReadFiles {
  /** The files of each folder, in the order of the folders. */
  readonly layers: readonly (readonly SourceFile[])[]
  readonly problems: readonly DefinitionProblem[]
}

/** Files of reports, and those of all blocks, theirs among them. */
export interface ReportFiles extends ReadFiles {
  readonly blocks: readonly (readonly SourceFile[])[]
}

/** Files of workspaces, in the order of the folders. */
export interface ReadWorkspaces {
  readonly files: readonly SourceFile[]
  readonly problems: readonly DefinitionProblem[]
}

export interface VocabularyFiles {
  /** The modules.yaml of each folder that has one, in the order of the folders. */
  readonly modules: readonly SourceFile[]
  /** The plans.yaml of the last folder that has one. */
  readonly plans: SourceFile | undefined
  readonly problems: readonly DefinitionProblem[]
}

export type ReadFolders = ReadFiles & VocabularyFiles

/**
 * The YAML files of DocTypes and blocks in these folders and the module folders in them, sorted by name, and those that say
 * which modules and tiers there are. Other files, hidden ones, and those beside the modules that hold something else
 * are left alone; a folder that is not there, a file over 256 KB and one that is not UTF-8 are problems.
 */
export function readFolders(folders: readonly string[]): ReadFolders {
  const problems: DefinitionProblem[] = []
  const layers = folders.map((folder) => textsOf(yamlFiles(folder, problems), problems))
  const vocabulary = readVocabularyFiles(folders)
  return { ...vocabulary, layers, problems: [...problems, ...vocabulary.problems] }
}

/** The files that say which modules and tiers there are; a folder need not have them. */
export function readVocabularyFiles(folders: readonly string[]): VocabularyFiles {
  const problems: DefinitionProblem[] = []
  const named = (name: string): string[] =>
    folders.map((folder) => join(folder, name)).filter((path) => fileSystem.exists(path))
  const [plans] = textsOf(named(PLANS).slice(-1), problems)
  return { modules: textsOf(named(MODULES), problems), plans, problems }
}

/** The YAML files of reports and of what they may use: those in the folders `reports` and `blocks` of these folders. */
export function readReportFiles(folders: readonly string[]): ReportFiles {
  const problems: DefinitionProblem[] = []
  const filesIn = (part: string): SourceFile[][] =>
    folders.map((folder) => {
      const isThere = fileSystem
        .list(folder)
        .some(({ name, isFolder }) => name === part && isFolder)
      return isThere ? textsOf(yamlFiles(join(folder, part), problems), problems) : []
    })
  return { layers: filesIn(REPORTS), blocks: filesIn(BLOCKS), problems }
}

/** The YAML files in the folder `workspaces` of these folders, in the order of the folders. */
export function readWorkspaceFiles(folders: readonly string[]): ReadWorkspaces {
  const problems: DefinitionProblem[] = []
  const files = folders.flatMap((folder) =>
    fileSystem.list(folder).some(({ name, isFolder }) => name === WORKSPACES && isFolder)
      ? textsOf(yamlFiles(join(folder, WORKSPACES), problems), problems)
      : [],
  )
  return { files, problems }
}

/** Everything that checked definitions follow from: what is kept of them goes by it. */
export function filesThatDecide(
  { layers, modules, plans }: ReadFolders,
  reports: ReadFiles,
  workspaces: Pick<ReadWorkspaces, 'files'>,
): readonly (readonly SourceFile[])[] {
  return [
    ...layers,
    ...reports.layers,
    modules,
    plans === undefined ? [] : [plans],
    workspaces.files,
  ]
}

function textsOf(paths: readonly string[], problems: DefinitionProblem[]): SourceFile[] {
  return paths.flatMap((path) => {
    const text = readText(path, problems)
    return text === undefined ? [] : [{ path, text }]
  })
}

function yamlFiles(root: string, problems: DefinitionProblem[]): string[] {
  const found: string[] = []

  function walk(folder: string, depth: number): void {
    for (const { name, isFolder } of fileSystem.list(folder)) {
      const path = join(folder, name)
      if (name.startsWith('.') || (depth === 0 && NOT_DOCTYPES.has(name))) continue
      if (isFolder && depth === 1 && relative(root, folder) === RECORD_SETS) continue
      if (isFolder) {
        if (depth < MAX_FOLDER_DEPTH) walk(path, depth + 1)
      } else if (/\.ya?ml$/i.test(name)) found.push(path)
    }
  }

  try {
    walk(root, 0)
  } catch (error) {
    problems.push(unreadable(root, 'a folder of DocTypes', error))
  }
  return found.sort()
}

function readText(path: string, problems: DefinitionProblem[]): string | undefined {
  try {
    const size = fileSystem.size(path)
    if (size > MAX_FILE_BYTES) {
      const message = `expected a file of at most ${MAX_FILE_BYTES / 1024} KB, got ${Math.ceil(size / 1024)} KB`
      problems.push({ file: path, line: 1, column: 1, message })
      return undefined
    }
    return new TextDecoder('utf-8', { fatal: true }).decode(fileSystem.bytes(path))
  } catch (error) {
    problems.push(unreadable(path, 'a readable file in UTF-8', error))
    return undefined
  }
}

function unreadable(path: string, expected: string, error: unknown): DefinitionProblem {
  if (!(error instanceof Error)) throw error
  return { file: path, line: 1, column: 1, message: `expected ${expected}: ${fileProblem(error)}` }
}

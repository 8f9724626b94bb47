import { join } from 'node:path'
import { fileSystem, PROGRAM_FOLDER } from '../../engine/base/packaged-files.ts'
import { DefinitionErrors, type DefinitionProblem } from '../../engine/definition/yaml/problems.ts'
import { createPlaces, isMap, readSource } from '../../engine/definition/yaml/source.ts'

/** English text → the same in another language. */
export type Labels = ReadonlyMap<string, string>

/** The language that labels are written in. */
export const SOURCE_LANGUAGE = 'en'

/** Labels that come with svc. */
const SHIPPED_LABELS = join(PROGRAM_FOLDER, 'labels')

const FILE = /^([a-z]{2})\.yaml$/

/** Languages that svc or one of these folders has labels in (`labels/de.yaml`), and English, in order. */
export function languagesOf(folders: readonly string[]): readonly string[] {
  const found = labelFolders(folders).flatMap((folder) =>
    filesOf(folder).flatMap((name) => FILE.exec(name)?.[1] ?? []),
  )
  return [...new Set([SOURCE_LANGUAGE, ...found.sort()])]
}

/** Every mistake in the labels of these folders, and files there that are never looked for. */
export function labelProblems(folders: readonly string[]): DefinitionProblem[] {
  return labelFolders(folders).flatMap((folder) =>
    filesOf(folder)
      .filter((name) => /\.ya?ml$/i.test(name))
      .flatMap((name) => {
        const path = join(folder, name)
        if (FILE.test(name)) return readEntries(path).problems
        const message = 'expected a language in two small letters as its name, e.g. de.yaml'
        return [{ file: path, line: 1, column: 1, message }]
      }),
  )
}

/**
 * The labels of a language, those that come with svc and from all folders, later ones before earlier ones. Throws DefinitionErrors for a
 * file that is not a map of texts.
 */
export function readLabels(folders: readonly string[], language: string): Labels {
  const labels = new Map<string, string>()
  for (const folder of labelFolders(folders)) {
    if (!filesOf(folder).includes(`${language}.yaml`)) continue
    for (const [text, translated] of entriesOf(join(folder, `${language}.yaml`)))
      labels.set(text, translated)
  }
  return labels
}

/** Folders of labels: svc's own, and `labels` of each of these that has one. */
function labelFolders(folders: readonly string[]): readonly string[] {
  const own = folders.filter((folder) =>
    fileSystem.list(folder).some(({ name, isFolder }) => isFolder && name === 'labels'),
  )
  return [SHIPPED_LABELS, ...own.map((folder) => join(folder, 'labels'))]
}

function filesOf(folder: string): readonly string[] {
  return fileSystem.list(folder).map(({ name }) => name)
}

function entriesOf(path: string): [string, string][] {
  const { entries, problems } = readEntries(path)
  if (problems.length > 0) throw new DefinitionErrors(problems)
  return entries
}

function readEntries(path: string): {
  readonly entries: [string, string][]
  readonly problems: readonly DefinitionProblem[]
} {
  const file = { path, text: fileSystem.bytes(path).toString() }
  const { data, problems } = readSource(file)
  if (problems.length > 0) return { entries: [], problems }
  if (!isMap(data)) {
    const message = 'expected English label: label in this language'
    return { entries: [], problems: [{ file: path, line: 1, column: 1, message }] }
  }
  const places = createPlaces()
  const entries = Object.entries(data)
  const wrong = entries.flatMap(([text, translated]) => {
    if (typeof translated === 'string') return []
    const message = `expected a text for ${JSON.stringify(text)}`
    return [{ file: path, ...places.at(file, [text], 'value'), message }]
  })
  return { entries: entries as [string, string][], problems: wrong }
}

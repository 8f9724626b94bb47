import { join } from 'node:path'
import { fileSystem } from '../../engine/base/packaged-files.ts'
import { DefinitionErrors } from '../../engine/definition/problems.ts'
import { isMap, readSource } from '../../engine/definition/source.ts'

/** English text → the same in another language. */
export type Labels = ReadonlyMap<string, string>

/** The language that labels are written in. */
export const SOURCE_LANGUAGE = 'en'

const FILE = /^([a-z]{2})\.yaml$/

/** Languages that one of these folders has labels in (`labels/de.yaml`), and English, in order. */
export function languagesOf(folders: readonly string[]): readonly string[] {
  const found = folders.flatMap((folder) =>
    filesOf(folder).flatMap((name) => FILE.exec(name)?.[1] ?? []),
  )
  return [...new Set([SOURCE_LANGUAGE, ...found.sort()])]
}

/**
 * The labels of a language from all folders, later ones before earlier ones. Throws DefinitionErrors for a
 * file that is not a map of texts.
 */
export function readLabels(folders: readonly string[], language: string): Labels {
  const labels = new Map<string, string>()
  for (const folder of folders) {
    if (!filesOf(folder).includes(`${language}.yaml`)) continue
    for (const [text, translated] of entriesOf(join(folder, 'labels', `${language}.yaml`)))
      labels.set(text, translated)
  }
  return labels
}

function filesOf(folder: string): readonly string[] {
  const hasLabels = fileSystem
    .list(folder)
    .some(({ name, isFolder }) => isFolder && name === 'labels')
  return hasLabels ? fileSystem.list(join(folder, 'labels')).map(({ name }) => name) : []
}

function entriesOf(path: string): [string, string][] {
  const { data, problems } = readSource({ path, text: fileSystem.bytes(path).toString() })
  if (problems.length > 0) throw new DefinitionErrors(problems)
  const entries = isMap(data) ? Object.entries(data) : []
  const wrong = entries.find(([, translated]) => typeof translated !== 'string')
  if (!isMap(data) || wrong)
    throw new DefinitionErrors([
      {
        file: path,
        line: 1,
        column: 1,
        message: wrong
          ? `expected a text for ${JSON.stringify(wrong[0])}`
          : 'expected English label: label in this language',
      },
    ])
  return entries as [string, string][]
}

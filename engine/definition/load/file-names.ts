import { join, sep } from 'node:path'

/** Names of files by which of the folders they are in: they stay the same wherever those folders stand. */
export interface FileNames {
  /** Name of a file; its path where it is in none of the folders. */
  nameOf(path: string): string
  /** Path of the file of this name, in the folders as they stand now. */
  pathOf(name: string): string
}

/** Number of a folder and the way from there, e.g. `1:crm/lead.yaml`. */
const NAME = /^(\d+):(.+)$/s

/** Names of the files in these folders of definitions. */
export function fileNames(folders: readonly string[]): FileNames {
  const beginnings = folders.map((folder) => join(folder, sep))
  // One folder may be in another: a file belongs to the innermost.
  const innermost = [...beginnings.entries()].sort(([, a], [, b]) => b.length - a.length)
  // A file that many definitions share has one text.
  const paths = new Map<string, string>()

  function pathOf(name: string): string {
    const [, folder, way] = NAME.exec(name) ?? []
    const beginning = beginnings[Number(folder)]
    return beginning === undefined ? name : beginning + way
  }

  return {
    nameOf(path) {
      const found = innermost.find(([, beginning]) => path.startsWith(beginning))
      if (found === undefined) return path
      const [number, beginning] = found
      return `${number}:${path.slice(beginning.length)}`
    },
    pathOf(name) {
      const path = paths.get(name) ?? pathOf(name)
      paths.set(name, path)
      return path
    },
  }
}

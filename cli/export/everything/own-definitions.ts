import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join, relative } from 'node:path'
import type { Zip } from './zip-file.ts'

/** Bytes of a file among definitions that is taken; what is larger is no definition. */
const MOST_BYTES = 16 * 1024 * 1024

/** Adds the files below these folders of definitions, hidden ones left out, each under the name of its folder in the zip. Returns their number. */
export async function addDefinitions(
  zip: Zip,
  folders: readonly (readonly [name: string, folder: string])[],
): Promise<number> {
  let count = 0
  for (const [name, folder] of folders)
    for (const file of filesBelow(folder)) {
      const path = relative(folder, file).replaceAll('\\', '/')
      await zip.add(`definitions/${name}/${path}`, only(readFileSync(file)))
      count += 1
    }
  return count
}

function filesBelow(folder: string): readonly string[] {
  if (!existsSync(folder)) return []
  return readdirSync(folder, { withFileTypes: true })
    .filter(({ name }) => !name.startsWith('.'))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const path = join(folder, entry.name)
      if (entry.isDirectory()) return filesBelow(path)
      const stats = statSync(path)
      return stats.isFile() && stats.size <= MOST_BYTES ? [path] : []
    })
}

/** One piece, as what is streamed. */
export async function* only(content: Buffer | string): AsyncGenerator<Buffer | string> {
  yield content
}

import type { Engine } from '../../../engine/index.ts'
import { selectionOf } from '../../../server/export/selection.ts'
import type { ContentStore } from '../../../server/files/content-store.ts'
import { filesOf } from '../../../server/files/keep.ts'
import { recordPages } from '../record-pages.ts'
import type { Zip } from './zip-file.ts'

/** Files that were taken, and those whose content is not there. */
export interface TakenFiles {
  readonly files: number
  /** Paths in the zip that they would have. */
  readonly missing: readonly string[]
}

/** Names of what is missing that are told; a lost store would fill pages. */
const MOST_MISSING = 1_000

/** Adds the uploaded files to a zip as they are, each under its name in a folder of its record. */
export async function addFiles(
  zip: Zip,
  engine: Engine,
  contents: ContentStore,
  onFile: () => void,
): Promise<TakenFiles> {
  if (!engine.services.registry.serving('files')) return { files: 0, missing: [] }
  const definition = filesOf(engine.services)
  const selection = selectionOf(definition, 'file_name,content_hash,modified')
  const missing: string[] = []
  let files = 0
  for await (const page of recordPages(engine, definition, selection))
    for (const { id, file_name, content_hash, modified } of page) {
      // Addresses of files that are elsewhere have no content here.
      if (typeof content_hash !== 'string') continue
      const path = `files/${inPath(String(id))}/${inPath(String(file_name))}`
      const content = await contents.open(content_hash)
      if (content) {
        await zip.add(path, content, { isPacked: false, changed: new Date(String(modified)) })
        files += 1
        onFile()
      } else if (missing.length < MOST_MISSING) missing.push(path)
    }
  return { files, missing }
}

/** A text as one part of a path that every system may unpack. */
export function inPath(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: that is what no name may hold
  const name = text.replace(/[\u0000-\u001f<>:"/\\|?*]/g, '_').replace(/[. ]+$/, '_')
  return /^\.*$/.test(name) ? `_${name}` : name
}

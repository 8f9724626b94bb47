import { join } from 'node:path'
import { fileSystem, PROGRAM_FOLDER } from '../../engine/base/packaged-files.ts'

/** Folder of the manual's pages and pictures: the docs as they are written. */
const FOLDER = join(PROGRAM_FOLDER, 'docs')

/** The page that lists all others, by headings: the contents of the manual. */
const CONTENTS = 'README.md'

/** A page of the manual. */
export interface ManualPage {
  /** `desk`, `modules/sales`: its file below the folder, without `.md`; also its address below `/docs/manual`. */
  readonly name: string
  readonly title: string
  /** Its Markdown. */
  readonly text: string
}

/** The manual: shelves by their headings, in the order in which somebody who begins reads them. */
export type Manual = ReadonlyMap<string, readonly ManualPage[]>

/** Reads the manual that comes with the program: the pages that its contents link to. */
export function readManual(): Manual {
  const shelves = new Map<string, ManualPage[]>()
  let shelf: ManualPage[] = []
  for (const line of textOf(CONTENTS).split('\n')) {
    const heading = /^## (.+)$/.exec(line)?.[1]
    if (heading !== undefined) {
      shelf = []
      shelves.set(heading, shelf)
    }
    const name = /^- \[.+\]\((.+)\.md\)$/.exec(line)?.[1]
    if (name !== undefined) shelf.push(pageOf(name))
  }
  return shelves
}

/** The page of a name; undefined where the manual has none of it. */
export function pageNamed(manual: Manual, name: string): ManualPage | undefined {
  for (const pages of manual.values()) {
    const found = pages.find((page) => page.name === name)
    if (found) return found
  }
  return undefined
}

/** A picture of the manual: `desk/01-home.webp`. Undefined where there is none of that name. */
export function manualPicture(name: string): Buffer | undefined {
  if (!/^desk\/[\w-]+\.webp$/.test(name)) return undefined
  const path = join(FOLDER, name)
  return fileSystem.exists(path) ? fileSystem.bytes(path) : undefined
}

function pageOf(name: string): ManualPage {
  const text = textOf(`${name}.md`)
  return { name, title: /^# (.+)$/m.exec(text)?.[1]?.replaceAll('`', '') ?? name, text }
}

function textOf(file: string): string {
  return fileSystem.bytes(join(FOLDER, file)).toString('utf8')
}

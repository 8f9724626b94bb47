import { join } from 'node:path'
import { fileSystem, PROGRAM_FOLDER } from '../../engine/base/packaged-files.ts'

/** Folder of the manual's pages and pictures: the docs as they are written. */
const FOLDER = join(PROGRAM_FOLDER, 'docs')

/** The shelves of the manual and what stands on them, by the names of their files; `/` at the end names a whole folder. */
const SHELVES: Readonly<Record<string, readonly string[]>> = {
  'Working with it': [
    'desk',
    'tour',
    'setup',
    'people',
    'second-factor',
    'import-export',
    'files',
    'print',
  ],
  'What it does': ['modules/'],
  'Programs and agents': [
    'api',
    'errors',
    'webhooks',
    'agents',
    'surface-a',
    'surface-a-lists',
    'cli',
  ],
  'Definitions of your own': ['doctypes/reference', 'doctypes/cookbook/'],
  'Running it': ['configuration', 'deploy', 'backup', 'billing', 'security', 'faults'],
  'How well it does': ['performance', 'conformance', 'findings-money', 'chaos'],
}

/** Pages of a folder that only list the others. */
const INDEX = 'README'

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

/** Reads the manual that comes with the program. */
export function readManual(): Manual {
  const shelves = Object.entries(SHELVES).map(([heading, names]) => {
    const pages = names.flatMap((name) => (name.endsWith('/') ? pagesIn(name) : [name])).map(pageOf)
    return [heading, pages] as const
  })
  return new Map(shelves)
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

function pagesIn(folder: string): readonly string[] {
  return fileSystem
    .list(join(FOLDER, folder))
    .filter(({ name, isFolder }) => !isFolder && name.endsWith('.md') && name !== `${INDEX}.md`)
    .map(({ name }) => `${folder}${name.slice(0, -3)}`)
    .sort()
}

function pageOf(name: string): ManualPage {
  const text = fileSystem.bytes(join(FOLDER, `${name}.md`)).toString('utf8')
  return { name, title: /^# (.+)$/m.exec(text)?.[1]?.replaceAll('`', '') ?? name, text }
}

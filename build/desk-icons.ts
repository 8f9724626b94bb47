import { hash } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { ICON_NAMES } from '../desk/ui/icon-names.ts'

/** A drawing of icons: one symbol each, by its Lucide name. */
export interface IconSheet {
  /** Name of its file, which says what is in it. */
  readonly name: string
  readonly svg: string
}

/** Drawings of the Desk: of the icons it has itself, and of those that the shipped definitions name besides. */
export interface IconSheets {
  readonly own: IconSheet
  readonly named: IconSheet
}

/** The drawings of all icons; one that Lucide lacks is left out. */
export function iconSheets(root: string): IconSheets {
  const own = new Set<string>(ICON_NAMES)
  const named = globSync('doctypes/**/*.yaml', { cwd: root })
    .flatMap((name) => [
      ...readFileSync(join(root, name), 'utf8').matchAll(/^icon: *([a-z0-9-]+)/gm),
    ])
    .map(([, icon]) => icon!)
    .filter((icon) => !own.has(icon))
  return { own: sheetOf('icons', own), named: sheetOf('more-icons', new Set(named)) }
}

function sheetOf(name: string, icons: ReadonlySet<string>): IconSheet {
  const folder = join(
    dirname(createRequire(import.meta.url).resolve('lucide-static/package.json')),
    'icons',
  )
  const symbols = [...icons].sort().flatMap((icon) => symbol(join(folder, `${icon}.svg`), icon))
  const svg = `<svg xmlns="http://www.w3.org/2000/svg">${symbols.join('')}</svg>`
  return { name: `${name}-${hash('sha256', svg, 'base64url').slice(0, 8)}.svg`, svg }
}

function symbol(file: string, name: string): string[] {
  try {
    const [, inner = ''] = /<svg[^>]*>([\s\S]*)<\/svg>/.exec(readFileSync(file, 'utf8')) ?? []
    return [
      `<symbol id="${name}" viewBox="0 0 24 24">${inner.replace(/\s+/g, ' ').trim()}</symbol>`,
    ]
  } catch (_unknownName) {
    return []
  }
}

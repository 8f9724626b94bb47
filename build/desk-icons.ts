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

/** The icons that the shipped definitions name, and those of the Desk itself; one that Lucide lacks is left out. */
export function iconSheet(root: string): IconSheet {
  const icons = join(
    dirname(createRequire(import.meta.url).resolve('lucide-static/package.json')),
    'icons',
  )
  const named = globSync('doctypes/**/*.yaml', { cwd: root }).flatMap((name) =>
    [...readFileSync(join(root, name), 'utf8').matchAll(/^icon: *([a-z0-9-]+)/gm)].map(
      ([, icon]) => icon!,
    ),
  )
  const names = [...new Set([...ICON_NAMES, ...named])].sort()
  const symbols = names.flatMap((name) => symbol(join(icons, `${name}.svg`), name))
  const svg = `<svg xmlns="http://www.w3.org/2000/svg">${symbols.join('')}</svg>`
  return { name: `icons-${hash('sha256', svg, 'base64url').slice(0, 8)}.svg`, svg }
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

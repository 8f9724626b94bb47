import { globSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** Bytes that the Desk may have, packed: what the first screen loads, any further part, and its fonts (desk.md §5). */
const MOST = { script: 150, style: 40, part: 40, font: 60 } as const

/** Bytes of the built Desk, packed with gzip; fonts as they are. */
export interface DeskSize {
  /** Scripts of the first screen: the one of the page, and all it imports before it runs. */
  readonly script: number
  readonly style: number
  /** The largest script that is loaded later. */
  readonly part: number
  /** The font that Latin text is drawn in. */
  readonly font: number
}

/** Sizes of the Desk built in a folder. */
export function deskSize(folder: string): DeskSize {
  const first = firstScripts(folder)
  const size = (name: string): number => statSync(join(folder, `${name}.gz`)).size
  const scripts = globSync('**/*.js', { cwd: folder }).map((name) => name.replaceAll('\\', '/'))
  const fonts = globSync('**/*.woff2', { cwd: folder })
  return {
    script: sum([...first].map(size)),
    style: sum(globSync('**/*.css', { cwd: folder }).map(size)),
    part: Math.max(0, ...scripts.filter((name) => !first.has(name)).map(size)),
    font: sum(fonts.map((name) => statSync(join(folder, name)).size)),
  }
}

/** What is larger than it may be, in words; empty where all is well. */
export function overBudget(size: DeskSize): readonly string[] {
  return Object.entries(MOST).flatMap(([name, most]) => {
    const kilobytes = size[name as keyof DeskSize] / 1024
    return kilobytes > most
      ? [`${name}: expected at most ${most} KB, got ${kilobytes.toFixed(1)} KB`]
      : []
  })
}

/** The script of the page and, from one to the next, what each imports at once. */
function firstScripts(folder: string): ReadonlySet<string> {
  const page = readFileSync(join(folder, 'index.html'), 'utf8')
  const open = [...page.matchAll(/(?:src|href)="\/([^"]+\.js)"/g)].map(([, name]) => name ?? '')
  const found = new Set<string>()
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    if (found.has(name)) continue
    found.add(name)
    const source = readFileSync(join(folder, name), 'utf8')
    const base = name.slice(0, name.lastIndexOf('/') + 1)
    for (const [, next] of source.matchAll(/(?:from|import)\s*["']\.\/([\w.-]+\.js)["']/g))
      open.push(`${base}${next}`)
  }
  return found
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((all, one) => all + one, 0)
}

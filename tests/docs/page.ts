import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

export const ROOT = resolve(import.meta.dirname, '../..')

/** The text of a page, by its path in the checkout. */
export function pageText(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8')
}

/** The fenced blocks of one language on a page, in order; '' for those that name none. */
export function blocksOf(path: string, language: string): string[] {
  return [...pageText(path).matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm)]
    .filter(([, found]) => found === language)
    .map(([, , text = '']) => text)
}

/** The scripts of package.json. */
export function packageScripts(): Readonly<Record<string, string>> {
  return (JSON.parse(pageText('package.json')) as { scripts: Record<string, string> }).scripts
}

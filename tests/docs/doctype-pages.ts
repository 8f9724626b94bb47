import { globSync } from 'node:fs'
import { blocksOf, ROOT } from './page.ts'

/** The pages that show YAML of DocTypes and reports: the tutorial, and a page for each recipe. */
export const DOCTYPE_PAGES: readonly string[] = [
  'doctypes/README.md',
  ...globSync('docs/doctypes/cookbook/*.md', { cwd: ROOT }).map((path) =>
    path.replaceAll('\\', '/'),
  ),
].toSorted()

/** Every block of YAML on these pages. */
export function yamlExamples(): string[] {
  return DOCTYPE_PAGES.flatMap((page) => blocksOf(page, 'yaml'))
}

/** A file of a DocType as it stands, or one that changes a loaded DocType. */
export const isDocType = (text: string): boolean => /^doctype:/m.test(text)
export const extendsAnother = (text: string): boolean => /^extend: true$/m.test(text)
/** A report has a language of its own. */
export const isReport = (text: string): boolean => text.startsWith('report:')
/** A block begins with a comment that names its file. */
export const isBlock = (text: string): boolean => text.startsWith('# blocks/')
export const blockPath = (text: string): string => /^# (\S+)/.exec(text)?.[1] ?? ''

import { existsSync, globSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { pageText, ROOT } from './page.ts'

const FOLDERS = [
  'bench',
  'build',
  'cli',
  'demo',
  'docs',
  'doctypes',
  'engine',
  'hooks',
  'mcp',
  'server',
]
const ALL = globSync(
  [...FOLDERS, 'tests', 'webhooks'].map((folder) => `${folder}/**/*`),
  {
    cwd: ROOT,
    exclude: (path) => path.includes('node_modules'),
  },
).map((path) => path.replaceAll('\\', '/'))
/** Pages name what is in the engine with and without `engine/`. */
const TOPS = new Set([
  ...ALL.map((path) => path.replace(/^engine\//, '').split('/')[0]),
  ...['engine', '.ci'],
])

const PAGES = globSync(['*.md', 'docs/**/*.md', 'doctypes/**/*.md'], {
  cwd: ROOT,
  exclude: (path) => path.includes('node_modules'),
}).map((path) => path.replaceAll('\\', '/'))

const test = suite('files that the docs name')

test('are there: those of architecture.md and CONTRIBUTING', () => {
  for (const page of ['docs/architecture.md', 'CONTRIBUTING.md']) {
    const names = namesIn(pageText(page))
    assert.ok(names.length > 20, page)
    for (const name of names) assert.ok(isThere(name), `${page}: there is no ${name}`)
  }
})

test('are there: the tests that faults.md and security.md name', () => {
  for (const page of ['docs/faults.md', 'docs/security.md'])
    for (const [name] of pageText(page).matchAll(/\btests\/[\w./-]+\.ts\b/g))
      assert.ok(isThere(name), `${page}: there is no ${name}`)
})

/** Words that are a path: of a source file, or below one of our folders. */
function namesIn(markdown: string): string[] {
  const text = markdown.replaceAll(/\]\([^)]*\)/g, ']')
  const code = [...text.matchAll(/^```\w*\n([\s\S]*?)^```$|`([^`\n]+)`/gm)]
  const words = code.flatMap(([, block, span]) => (block ?? span ?? '').split(/[\s,:;()|]+/))
  return [...new Set(words)]
    .map((word) => word.replace(/^node$/, ''))
    .filter((word) => /^[\w.][\w./-]*$/.test(word))
    .filter(
      (word) =>
        /\.(?:ts|js|json|yaml|md|svg)$/.test(word) ||
        (word.includes('/') && TOPS.has(word.split('/')[0])),
    )
    .filter((word) => !MADE.some((made) => word.startsWith(made)))
}

/** What is made by commands and lies in no checkout, and the pattern of a name. */
const MADE = ['dist/', 'data/', 'coverage/', 'docs/decisions/NNNN-title.md']

/** The path itself, or the end of one: pages name a folder once and then its files. */
function isThere(name: string): boolean {
  const path = name.replace(/\/$/, '')
  return (
    existsSync(join(ROOT, path)) ||
    ALL.some((known) => known.endsWith(`/${path}`) || known.endsWith(`/${path}.ts`))
  )
}

test('are there: every link of every page, with its heading', () => {
  const problems: string[] = []
  for (const page of PAGES) {
    const prose = pageText(page).replaceAll(/^```[\s\S]*?^```$/gm, '')
    for (const [, target = ''] of prose.matchAll(/\]\(([^)\s]+)\)/g)) {
      if (/^(?:https?|mailto):/.test(target)) continue
      const [path = '', heading] = target.split('#')
      const file = path === '' ? page : join(dirname(page), path)
      if (!existsSync(join(ROOT, file))) problems.push(`${page}: ${target} is not there`)
      else if (
        heading !== undefined &&
        statSync(join(ROOT, file)).isFile() &&
        !headingsOf(file).has(heading)
      )
        problems.push(`${page}: ${target} has no such heading`)
    }
  }
  assert.equal(problems, [])
})

/** The anchors of a page's headings, as they are made on GitHub. */
function headingsOf(page: string): ReadonlySet<string> {
  const prose = pageText(page).replaceAll(/^```[\s\S]*?^```$/gm, '')
  return new Set(
    [...prose.matchAll(/^#{1,6} (.+)$/gm)].map(([, title = '']) =>
      title
        .toLowerCase()
        .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
        .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
        .trim()
        .replaceAll(' ', '-'),
    ),
  )
}

test.run()

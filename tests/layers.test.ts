import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { parse } from 'yaml'
import { findViolations } from './helpers/layers.ts'
import { findExcess, LIMITS } from './helpers/limits.ts'
import { VOCABULARY } from './helpers/vocabulary.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))

/** Functions that are too long until somebody cuts them. The list only shrinks. */
const TOO_LONG: readonly string[] = []

const project = suite('the sources of this project')

project(
  'keep the ranks, the barrels, the place of queries and name no DocType, module or tier',
  () => {
    const declared = [...VOCABULARY.modules.keys(), ...VOCABULARY.tiers]
    assert.equal(findViolations({ files: sources(), doctypes: shippedDocTypes(), declared }), [])
  },
)

project('keep the limits of files, functions and folders', () => {
  assert.equal(findExcess({ files: sources(), exceptions: TOO_LONG }), [])
})

function sources(): ReadonlyMap<string, string> {
  const folders = '{engine,hooks,server,webhooks,cli,demo,mcp,desk}'
  const paths = globSync(`${folders}/**/*.{ts,tsx,js}`, { cwd: ROOT })
  assert.ok(paths.length > 0)
  return new Map(
    paths.map((path) => [
      path.replaceAll('\\', '/'),
      plain(path, readFileSync(`${ROOT}/${path}`, 'utf8')),
    ]),
  )
}

/** JSX without its closing slashes, which would be read as the beginning of a regular expression. */
function plain(path: string, text: string): string {
  return path.endsWith('.tsx') ? text.replaceAll('</', '< ').replaceAll('/>', ' >') : text
}

function shippedDocTypes(): string[] {
  return globSync('doctypes/**/*.yaml', { cwd: ROOT }).flatMap((path) => {
    const content: unknown = parse(readFileSync(`${ROOT}/${path}`, 'utf8'))
    const isDocType = typeof content === 'object' && content !== null && 'doctype' in content
    return isDocType ? [String(content.doctype)] : []
  })
}

const ranks = suite('an import')

ranks('may go to a lower rank or stay in its folder', () => {
  assert.equal(check({ 'engine/storage/a.ts': `import { b } from '../base/b.ts'` }), [])
  assert.equal(check({ 'engine/storage/a.ts': `import { b } from './b.ts'` }), [])
  assert.equal(check({ 'server/v1/a.ts': `import { b } from '../auth/b.ts'` }), [])
  assert.equal(check({ 'cli/a.ts': `await import('../server/start.ts')` }), [])
  assert.equal(check({ 'cli/a.ts': `await import('../mcp/server.ts')` }), [])
  assert.equal(check({ 'cli/a.ts': `import { hooks } from '../hooks/index.ts'` }), [])
  for (const target of ['base/money.ts', 'expression/expression.ts', 'definition/model/hook.ts']) {
    assert.equal(check({ 'hooks/a.ts': `import { b } from '../engine/${target}'` }), [])
  }
})

const UPWARD: readonly (readonly [from: string, to: string, why: string])[] = [
  ['engine/base/a.ts', '../fields/b.ts', 'engine/fields ranks above engine/base'],
  [
    'engine/fields/a.ts',
    '../expression/b.ts',
    'engine/fields and engine/expression are of one rank',
  ],
  ['engine/schema/a.ts', '../access/b.ts', 'engine/schema and engine/access are of one rank'],
  ['engine/rules/a.ts', '../documents/b.ts', 'engine/documents ranks above engine/rules'],
  ['engine/documents/a.ts', '../index.ts', 'engine/index.ts ranks above engine/documents'],
  ['webhooks/a.ts', '../server/auth/b.ts', 'webhooks and server/auth are of one rank'],
  ['server/auth/a.ts', '../app.ts', 'server ranks above server/auth'],
  ['server/a.ts', '../cli/b.ts', 'cli ranks above server'],
  [
    'engine/storage/database/a.ts',
    '../records/b.ts',
    'engine/storage/database stands below engine/storage/records',
  ],
  ['engine/definition/check/a.ts', '../../../hooks/b.ts', 'hooks ranks above engine/definition'],
  ['engine/index.ts', '../hooks/index.ts', 'hooks ranks above engine/index.ts'],
  ['webhooks/a.ts', '../hooks/b.ts', 'hooks ranks above webhooks'],
  ['server/a.ts', '../hooks/b.ts', 'server and hooks are of one rank'],
  ['hooks/a.ts', '../engine/storage/b.ts', 'hooks are pure functions'],
  ['hooks/a.ts', '../engine/definition/model/registry.ts', 'hooks are pure functions'],
  ['engine/rules/base/a.ts', '../b.ts', 'engine/rules/base stands below engine/rules'],
  ['server/http/a.ts', '../pages/b.ts', 'server/http stands below server'],
  ['engine/base/a.ts', '../../tests/b.ts', 'it stands outside the program'],
  ['server/a.ts', '../mcp/b.ts', 'it stands outside the program'],
  ['mcp/a.ts', '../engine/index.ts', 'mcp speaks HTTP and imports none of it'],
  ['desk/list/a.ts', '../../engine/schema/b.ts', 'desk speaks HTTP and imports none of it'],
  ['desk/list/a.ts', '../../server/b.ts', 'desk speaks HTTP and imports none of it'],
]

for (const [from, to, why] of UPWARD) {
  ranks(`from ${from} to ${to} is refused`, () => {
    const [problem = ''] = check({ [from]: `const x = 1\nimport { b } from '${to}'` })
    assert.match(problem, `${from}:2: imports `)
    assert.match(problem, why)
  })
}

ranks('of the Desk may be of what is pure: expressions and money', () => {
  for (const target of ['engine/expression/syntax/parse.ts', 'engine/base/money.ts'])
    assert.equal(check({ 'desk/record/a.ts': `import { b } from '../../${target}'` }), [])
})

ranks('of types counts as any other', () => {
  for (const form of ['import type { A }', 'import { type A }']) {
    assert.is(check({ 'engine/base/a.ts': `${form} from '../fields/a.ts'` }).length, 1)
    assert.is(check({ 'engine/base/a.ts': `${form} from '../../server/a.ts'` }).length, 1)
  }
})

ranks('is found in whatever form it is written', () => {
  const forms = [
    `import '../fields/b.ts'`,
    `import b from '../fields/b.ts'`,
    `import * as b from "../fields/b.ts"`,
    `import {\n  a, // one\n  b,\n} from '../fields/b.ts'`,
    `const b = await import('../fields/b.ts')`,
    `const t = \`\${x({ y: 1 })} /* \`; import { b } from '../fields/b.ts'`,
    `const r = /['"\`]/.test(x) ; import { b } from '../fields/b.ts'`,
  ]
  for (const form of forms) assert.is(check({ 'engine/base/a.ts': form }).length, 1, form)
})

ranks('in a comment or a text is none', () => {
  const source = `// import '../fields/b.ts'\n/* import '../fields/b.ts' */\nconst t = "import '../fields/b.ts'"`
  assert.equal(check({ 'engine/base/a.ts': source }), [])
})

ranks('circle is named once', () => {
  const problems = check({
    'engine/base/a.ts': `import { b } from './b.ts'`,
    'engine/base/b.ts': `import { c } from './c.ts'`,
    'engine/base/c.ts': `import { a } from './a.ts'`,
  })
  assert.equal(problems, [
    'engine/base/a.ts:1: imports run in a circle: engine/base/a.ts → engine/base/b.ts → engine/base/c.ts → engine/base/a.ts',
  ])
})

ranks('circle of types is one too', () => {
  const files = {
    'engine/base/a.ts': `import { b } from './b.ts'`,
    'engine/base/b.ts': `import type { A } from './a.ts'`,
  }
  assert.is(check(files).length, 1)
})

ranks('of kysely stays with the queries', () => {
  const source = `import { sql } from 'kysely'`
  const at = (path: string) => check({ [path]: source }).length
  for (const path of ['engine/storage/a.ts', 'engine/reports/a.ts', 'webhooks/store.ts']) {
    assert.is(at(path), 0, path)
  }
  assert.is(at('engine/events/log.ts'), 0)
  for (const path of ['engine/events/names.ts', 'server/v1/a.ts', 'webhooks/sending/send.ts']) {
    assert.is(at(path), 1, path)
  }
  assert.equal(check({ 'server/v1/a.ts': `import type { Kysely } from 'kysely'` }), [])
})

const queries = suite('a statement')

queries('is begun by storage, reports, the log and the stores', () => {
  const source = `const rows = db.selectFrom('t').selectAll()`
  for (const path of [
    'engine/storage/records/a.ts',
    'engine/reports/run/a.ts',
    'engine/events/log.ts',
    'webhooks/store.ts',
    'server/auth/session-store.ts',
    'server/limits/rate-store.ts',
  ]) {
    assert.equal(check({ [path]: source }), [], path)
  }
})

queries('is begun nowhere else, whatever its kind', () => {
  for (const start of ['selectFrom', 'insertInto', 'updateTable', 'deleteFrom']) {
    const source = `const a = 1\nconst q = await tx\n  .${start}(table)`
    for (const path of ['engine/documents/work/a.ts', 'server/jobs/a.ts', 'cli/a.ts', 'demo/a.ts'])
      assert.equal(
        check({ [path]: source }),
        [`${path}:3: builds a query by .${start}(); put it into engine/storage or a store.ts`],
        path,
      )
  }
})

queries('is made of compiled expressions by rules alone', () => {
  const source = `const rows = await runFragment(tx, kind, sqlOf\`select 1 from t\`)`
  assert.equal(check({ 'engine/rules/cells/a.ts': source }), [])
  const [problem = '', ...others] = check({ 'engine/documents/verify/a.ts': source })
  assert.match(problem, 'engine/documents/verify/a.ts:1: writes SQL by sqlOf')
  assert.equal(others, [])
})

queries('of another name, in a text or in a comment is none', () => {
  const source = `// db.selectFrom(t)\nconst t = 'db.selectFrom(t)'\nselectFrom(t)\nconst { deleteFrom } = db`
  assert.equal(check({ 'engine/documents/a.ts': source }), [])
})

ranks('of rights comes in by the door', () => {
  const at = (path: string, file: string) => check({ [path]: `import { a } from '${file}'` }).join()
  const rights = '../../engine/documents/rights'
  assert.is(at('server/v1/a.ts', `${rights}/door.ts`), '')
  assert.match(at('server/v1/a.ts', `${rights}/row-rights.ts`), 'is entered by door.ts')
  assert.match(at('engine/documents/lists/a.ts', '../rights/followed.ts'), 'is entered by door.ts')
  assert.is(at('engine/documents/rights/a.ts', './followed.ts'), '')
})

const files = suite('a file')

files('is no barrel, except the two of the engine', () => {
  const barrel = `export { a } from './a.ts'`
  assert.equal(check({ 'engine/index.ts': `export { a } from './base/a.ts'` }), [])
  assert.equal(check({ 'engine/fields/index.ts': barrel }), [])
  assert.is(check({ 'engine/base/all.ts': barrel }).length, 1)
  assert.is(check({ 'engine/base/index.ts': 'export const a = 1' }).length, 1)
  assert.equal(check({ 'engine/base/a.ts': 'export { a }\nconst b = { from: "./x.ts" }' }), [])
})

files('stands in a folder that has a rank', () => {
  assert.match(check({ 'engine/utils/a.ts': '' })[0] ?? '', /no rank/)
})

const engine = suite('the engine')

engine('asks field types and does not compare their names', () => {
  const at = (source: string) => check({ 'engine/schema/a.ts': source }).length
  assert.is(at(`switch (field.type) { case 'int': return 1 }`), 1)
  assert.is(at(`switch (type) {\n case 'currency': break }`), 1)
  assert.is(at(`if (field.type === 'data') return`), 1)
  assert.is(at(`if (f.type !== 'link') return`), 1)
  assert.is(at(`switch (node.type) { case 'int': return 1 }`), 0)
  assert.is(at(`if (schema.type === 'object') return fieldTypes.get(field.type)`), 0)
  assert.equal(check({ 'engine/fields/a.ts': `if (field.type === 'link') return` }), [])
})

engine('asks for rights at the door', () => {
  const source = `assertCan(context, definition, 'read')`
  const at = (path: string) => check({ [path]: source }).length
  assert.is(at('server/v1/a.ts'), 1)
  assert.is(at('engine/documents/operations/a.ts'), 1)
  assert.is(at('engine/documents/rights/door.ts'), 0)
})

engine('names no DocType', () => {
  const doctypes = ['Sales Order', 'Account', 'UOM']
  const at = (path: string, source: string) =>
    findViolations({ files: new Map([[path, source]]), doctypes, declared: [] }).length
  assert.is(at('engine/rules/a.ts', `const a = 'Sales Order'`), 1)
  assert.is(at('webhooks/a.ts', `const a = \`a \${b} Sales Order\``), 1)
  assert.is(at('server/a.ts', `const a = "Account"`), 1)
  assert.is(at('server/a.ts', `const a = 'Account is closed'`), 0)
  assert.is(at('engine/rules/a.ts', `const a = 1 // like a Sales Order`), 0)
  assert.is(at('cli/a.ts', `const a = 'Sales Order'`), 0)
  assert.is(at('desk/list/a.tsx', `const a = 'Sales Order'`), 1)
})

const limits = suite('a limit')

/** Bodies of functions of `n` lines in all, in the forms that functions have. */
const FORMS: Readonly<Record<string, (n: number) => string>> = {
  f: (n) => `function f(a: A): { b: B } | C {\n${'g()\n'.repeat(n - 2)}}`,
  each: (n) =>
    `export async function* each<T extends { a: B }>(\n): X {\n${'g()\n'.repeat(n - 3)}}`,
  method: (n) =>
    `class A {\n  async method(a = {}): Promise<A | undefined> {\n${'g()\n'.repeat(n - 2)}}\n}`,
  '#own': (n) => `class A {\n  #x = 1\n  #own() {\n${'g()\n'.repeat(n - 2)}}\n}`,
  keep: (n) => `const a = {\n  keep: async ({ a }) => {\n${'g()\n'.repeat(n - 2)}},\n}`,
  value: (n) => `const value = (a: A): B =>\n  h([\n${'1,\n'.repeat(n - 3)}])\nconst other = 1`,
  '(arrow)': (n) => `h(b, (a) => {\n${'g()\n'.repeat(n - 2)}})`,
}

for (const [name, source] of Object.entries(FORMS)) {
  limits(`of lines holds for a function like ${name}`, () => {
    assert.equal(excess({ 'engine/a.ts': `// A function:\n${source(80)}` }), [])
    const [problem = '', ...more] = excess({ 'engine/a.ts': `// A function:\n${source(81)}` })
    assert.match(problem, /^engine\/a\.ts:[234]: /)
    assert.match(problem, `${name} has 81 lines, at most 80`)
    assert.equal(more, [])
  })
}

limits('of lines counts functions in a function, and no text, comment or type', () => {
  const inner = `function b() {\n${'g()\n'.repeat(70)}}`
  assert.match(
    excess({ 'cli/a.ts': `function a() {\n${'c()\n'.repeat(10)}${inner}\n}` })[0] ?? '',
    'a has',
  )
  const lines = 'x\n'.repeat(90)
  assert.equal(excess({ 'cli/a.ts': `/* function a() {\n${lines}} */` }), [])
  assert.equal(excess({ 'cli/a.ts': `const a = \`() => {\n${lines}}\`` }), [])
  const types = `interface A {\n  a(): void\n  b: (c: C) => D\n${'  e: F\n'.repeat(90)}}`
  assert.equal(excess({ 'cli/a.ts': types }), [])
  assert.equal(excess({ 'cli/a.ts': `if (a) {\n${'g()\n'.repeat(90)}}` }), [])
})

limits('of lines holds for a file', () => {
  const source = (lines: number): string => 'const a = 1\n'.repeat(lines)
  assert.equal(excess({ 'mcp/a.ts': source(LIMITS.fileLines) }), [])
  assert.equal(excess({ 'mcp/a.ts': source(LIMITS.fileLines + 1) }), [
    'mcp/a.ts:1: has 401 lines, at most 400; make a file of each concept',
  ])
})

limits('of files holds for a folder, where the names do not sort it into groups', () => {
  const named = (name: (n: number) => string, count: number): Record<string, string> =>
    Object.fromEntries(Array.from({ length: count }, (_, n) => [`hooks/${name(n)}.ts`, '']))
  const one = (n: number): string => `a${n}`
  assert.equal(excess(named(one, 25)), [])
  assert.equal(excess({ ...named(one, 25), 'hooks/room/a26.ts': '' }), [])
  assert.match(excess(named(one, 26))[0] ?? '', 'hooks: has 26 files in 26 groups')
  assert.equal(excess(named((n) => `a${n % 25}-${n}`, 40)), [])
})

limits('may be passed by an exception, as long as it is needed', () => {
  const source = (n: number): string => `function f() {\n${'g()\n'.repeat(n - 2)}}`
  const at = (n: number): string[] =>
    findExcess({ files: new Map([['cli/a.ts', source(n)]]), exceptions: ['cli/a.ts f'] })
  assert.equal(at(81), [])
  assert.equal(at(80), ['cli/a.ts f: is short enough; take it from the exceptions'])
})

function excess(sources: Readonly<Record<string, string>>): string[] {
  return findExcess({ files: new Map(Object.entries(sources)) })
}

engine('names no module and no tier, though it may use their words', () => {
  const declared = ['stock', 'free', 'setup']
  const at = (path: string, source: string) =>
    findViolations({ files: new Map([[path, source]]), doctypes: [], declared }).length
  assert.is(at('engine/access/a.ts', `const a = 'free'`), 1)
  assert.is(at('server/a.ts', `if (module === "stock") return`), 1)
  assert.is(at('webhooks/a.ts', 'const a = `free`'), 1)
  assert.is(at('server/a.ts', `const a = 'a port that is free'`), 0)
  assert.is(at('server/a.ts', `const free = size.free // of stock`), 0)
  assert.is(at('engine/definition/a.ts', `const FOLDER = 'setup'`), 0)
  assert.is(at('cli/a.ts', `const a = 'free'`), 0)
})

function check(sources: Readonly<Record<string, string>>): string[] {
  return findViolations({ files: new Map(Object.entries(sources)), doctypes: [], declared: [] })
}

project.run()
ranks.run()
queries.run()
files.run()
engine.run()
limits.run()

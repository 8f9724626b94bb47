import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { parse } from 'yaml'
import { findViolations } from './helpers/layers.ts'
import { VOCABULARY } from './helpers/vocabulary.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))

const project = suite('the sources of this project')

project(
  'keep the ranks, the barrels, the place of queries and name no DocType, module or tier',
  () => {
    const files = new Map(
      globSync('{engine,hooks,server,webhooks,cli,demo,mcp}/**/*.{ts,js}', { cwd: ROOT }).map(
        (path) => [path.replaceAll('\\', '/'), readFileSync(`${ROOT}/${path}`, 'utf8')],
      ),
    )
    assert.ok(files.size > 0)
    assert.equal(
      findViolations({
        files,
        doctypes: shippedDocTypes(),
        declared: [...VOCABULARY.modules.keys(), ...VOCABULARY.tiers],
      }),
      [],
    )
  },
)

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
]

for (const [from, to, why] of UPWARD) {
  ranks(`from ${from} to ${to} is refused`, () => {
    const [problem = ''] = check({ [from]: `const x = 1\nimport { b } from '${to}'` })
    assert.match(problem, `${from}:2: imports `)
    assert.match(problem, why)
  })
}

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
  for (const path of ['engine/events/names.ts', 'server/v1/a.ts', 'webhooks/send.ts']) {
    assert.is(at(path), 1, path)
  }
  assert.equal(check({ 'server/v1/a.ts': `import type { Kysely } from 'kysely'` }), [])
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
})

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
files.run()
engine.run()

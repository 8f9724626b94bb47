import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'

const RUNNER = fileURLToPath(new URL('./run.js', import.meta.url))
const UVU = import.meta.resolve('uvu')
const ASSERT = import.meta.resolve('uvu/assert')

const HEAD = `
import { suite } from '${UVU}'
import * as assert from '${ASSERT}'
const test = suite('fixture')
`
const PASSES = `${HEAD}test('one', () => {})\ntest('two', () => {})\ntest.run()\n`

interface Run {
  readonly code: number | null
  readonly output: string
  readonly lastLine: string
}

/** Runs the runner over files `tests/<name>.test.ts` of a new project. */
function runTests(files: Readonly<Record<string, string>>, ...args: readonly string[]): Run {
  const root = projectOf(files)
  // A deep run of these tests is none of what they run.
  const { SVC_TEST_DEEP: _, ...env } = process.env
  try {
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      [RUNNER, '--root', root, '--no-checks', '--no-database', ...args],
      { encoding: 'utf8', env },
    )
    const output = stdout + stderr
    return { code: status, output, lastLine: stdout.trimEnd().split('\n').at(-1) ?? '' }
  } finally {
    rmSync(root, { recursive: true })
  }
}

function projectOf(files: Readonly<Record<string, string>>): string {
  const root = mkdtempSync(join(tmpdir(), 'svc-runner-'))
  mkdirSync(join(root, 'tests', 'deep'), { recursive: true })
  for (const [name, text] of Object.entries(files)) {
    writeFileSync(join(root, 'tests', `${name}.test.ts`), text)
  }
  return root
}

const runner = suite('the test runner')

runner('adds up the files that pass, one line each, and exits 0', () => {
  const run = runTests({ a: PASSES, 'deep/b': PASSES })
  assert.is(run.lastLine, '4 passed, 0 failed')
  assert.is(run.code, 0)
  assert.match(run.output, /^ok {4}tests\/a\.test\.ts {2}2 {2}\d+\.\d s$/m)
  assert.not.match(run.output, 'Duration')
})

runner('runs only the files whose path contains an argument', () => {
  const files = { a: PASSES, 'deep/b': `${HEAD}test('x', () => assert.ok(false))\ntest.run()` }
  assert.is(runTests(files, 'tests/a').lastLine, '2 passed, 0 failed')
  assert.is(runTests(files, 'deep').lastLine, '0 passed, 1 failed')
})

runner('leaves what takes its time to deep runs and to who names it', () => {
  const files = {
    a: PASSES,
    'b.deep': `${HEAD}test('x', () => assert.is(process.env.SVC_TEST_DEEP, '1'))\ntest.run()`,
  }
  assert.is(runTests(files).lastLine, '2 passed, 0 failed')
  assert.is(runTests(files, 'b.deep').lastLine, '0 passed, 1 failed')
  assert.is(runTests(files, '--deep').lastLine, '3 passed, 0 failed')
})

runner('names the slowest files once there are many', () => {
  const files = Object.fromEntries(Array.from({ length: 11 }, (_, at) => [`file${at}`, PASSES]))
  const { output } = runTests(files)
  assert.match(output, /^slowest of 11:\n( +\d+\.\d s {2}tests\/file\d+\.test\.ts\n){10}22 passed/m)
})

runner('runs only what uncommitted changes reach, and says how many that are', () => {
  const root = projectOf({ a: PASSES, b: `import '../c.ts'\n${PASSES}` })
  const git = (...args: string[]) =>
    spawnSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.com', ...args], {
      cwd: root,
    })
  try {
    writeFileSync(join(root, 'c.ts'), '')
    git('init', '-q')
    git('add', '.')
    git('commit', '-qm', 'first')
    writeFileSync(join(root, 'c.ts'), 'export const changed = 1\n')
    const { stdout } = spawnSync(
      process.execPath,
      [RUNNER, '--root', root, '--no-checks', '--no-database', '--changed'],
      { encoding: 'utf8' },
    )
    assert.match(stdout, /^1 changed files reach 1 of 2 test files\nok {4}tests\/b\.test\.ts/)
    assert.match(stdout, '2 passed, 0 failed')
  } finally {
    rmSync(root, { recursive: true })
  }
})

const FAILURES: readonly (readonly [what: string, source: string, sum: string, says: RegExp])[] = [
  [
    'a failing assertion, with the whole output',
    `${HEAD}test('good', () => {})\ntest('bad', () => assert.is(1, 2, 'one is two'))\ntest.run()`,
    '1 passed, 1 failed',
    /exit code 1[\s\S]*FAIL {2} *fixture *"bad"[\s\S]*one is two/,
  ],
  [
    'a before hook that throws, with its error',
    `${HEAD}test.before(() => { throw new Error('no database') })\ntest('a', () => {})\ntest('b', () => {})\ntest.run()`,
    '0 passed, 2 failed',
    /a hook of this suite"\s+no database/,
  ],
  [
    'a before hook that throws, with its error, though the after hook misses what it was to make',
    `${HEAD}let made\ntest.before(() => { throw new Error('no database') })\ntest.after(() => made.close())\ntest('a', () => {})\ntest.run()`,
    '0 passed, 1 failed',
    /a hook of this suite"\s+no database/,
  ],
  [
    'an after hook that throws, with its error',
    `${HEAD}test.after(() => { throw new Error('not closed') })\ntest('a', () => {})\ntest.run()`,
    '0 passed, 1 failed',
    /not closed/,
  ],
  [
    'a hook before each test that throws',
    `${HEAD}test.before.each(() => { throw new Error('each') })\ntest('a', () => {})\ntest.run()`,
    '0 passed, 1 failed',
    /each/,
  ],
  [
    'a file that never calls run()',
    `${HEAD}test('a', () => {})`,
    '0 passed, 1 failed',
    /no summary/,
  ],
  [
    'a suite that is never run beside one that is',
    `${HEAD}const other = suite('other')\nother('a', () => {})\ntest('b', () => {})\ntest.run()`,
    '1 passed, 1 failed',
    /The suite "other" was never run, with 1 tests/,
  ],
  ['a suite without a test', `${HEAD}test.run()`, '0 passed, 1 failed', /ran no test/],
  [
    'a skipped test',
    `${HEAD}test('a', () => {})\ntest.skip('b', () => {})\ntest.run()`,
    '1 passed, 1 failed',
    /1 skipped/,
  ],
  [
    'tests left out by only',
    `${HEAD}test('a', () => {})\ntest.only('b', () => {})\ntest.run()`,
    '1 passed, 1 failed',
    /1 skipped, by skip or only/,
  ],
  ['a file that does not parse', 'const = 1', '0 passed, 1 failed', /SyntaxError/],
  [
    'a process that ends before its tests',
    `${HEAD}test('a', () => process.exit(0))\ntest.run()`,
    '0 passed, 1 failed',
    /no summary/,
  ],
  [
    'an error nobody waited for',
    `${HEAD}test('a', () => { setTimeout(() => { throw new Error('late') }, 20) })\ntest.run()`,
    '1 passed, 1 failed',
    /late/,
  ],
]

for (const [what, source, sum, says] of FAILURES) {
  runner(`reports ${what}`, () => {
    const run = runTests({ fixture: source })
    assert.is(run.lastLine, sum, run.output)
    assert.is(run.code, 1)
    assert.match(run.output, says)
  })
}

/** A file that passes when it is the `count`th of its process. */
function inProcess(count: number): string {
  return `${HEAD}
test('shares', () => {
  process.files = (process.files ?? 0) + 1
  assert.is(process.files, ${count})
})
test.run()
`
}

runner('runs files of one process in their order and judges each by what it printed itself', () => {
  const files = {
    a: `${inProcess(1)}console.log('words of a')`,
    b: inProcess(2),
    c: `${inProcess(9)}console.log('words of c')\nconsole.error('more of c')`,
    d: inProcess(1),
  }
  const run = runTests(files, '--jobs', '1')
  assert.is(run.lastLine, '3 passed, 1 failed')
  const marks = [...run.output.matchAll(/^(ok|FAIL) +tests\/(\w)/gm)].map(([, ...mark]) => mark)
  const wanted = [
    ['ok', 'a'],
    ['ok', 'b'],
    ['FAIL', 'c'],
    ['ok', 'd'],
  ]
  assert.equal(marks, wanted)
  assert.match(run.output, 'words of c')
  assert.match(run.output, 'more of c')
  assert.not.match(run.output, 'words of a')
})

const RUIN: Readonly<Record<string, string>> = {
  'fails to load': "throw new Error('not loaded')",
  'waits for ever while it loads': 'await new Promise(() => {})',
  'ends the process': "test('a', () => process.exit(0))\ntest.run()",
  'waits for ever in a test': "test('a', () => new Promise(() => {}))\ntest.run()",
  'never ends': "test('a', () => { setInterval(() => {}, 1000) })\ntest.run()",
  'breaks something late': `test('a', () => { setTimeout(() => { throw new Error('late') }, 50) })\ntest.run()`,
}
const TRACE: Readonly<Record<string, string>> = {
  'a setting': "process.env.LEFT = 'behind'",
  'a listener of the process': "process.on('unhandledRejection', () => {})",
  'a global name': 'globalThis.left = 1',
}

runner('gives what comes after a file that ruins its process, or marks it, another one', () => {
  const ruins = Object.values(RUIN).map(
    (source) => `${HEAD}if (process.files) console.log('not alone')\nprocess.files = 1\n${source}`,
  )
  const traces = Object.values(TRACE).map((source) => `${source}\n${inProcess(1)}`)
  const sources = [...ruins, ...traces, inProcess(1)]
  const files = Object.fromEntries(sources.map((source, at) => [`file-${at}`, source]))
  const run = runTests(files, '--jobs', '1', '--timeout', '2')
  // What never ends, or breaks something late, has passed its test by then.
  const passed = 2 + traces.length + 1
  assert.is(run.lastLine, `${passed} passed, ${ruins.length} failed`, run.output)
  assert.not.match(run.output, 'not alone')
})

runner('fails when there is nothing to run', () => {
  const run = runTests({})
  assert.is(run.lastLine, '0 passed, 0 failed')
  assert.is(run.code, 1)
})

runner('kills a file that hangs, and what that started', async () => {
  const shared = mkdtempSync(join(tmpdir(), 'svc-runner-'))
  const listen = `require('node:net').createServer().listen(0, '127.0.0.1', function () {
    require('node:fs').writeFileSync(${JSON.stringify(join(shared, 'port'))}, String(this.address().port))
  })`
  const source = `${HEAD}
import { spawn } from 'node:child_process'
test('hangs', () => {
  spawn(process.execPath, ['-e', ${JSON.stringify(listen)}], { stdio: 'inherit' })
  return new Promise(() => setInterval(() => {}, 1000))
})
test.run()`
  const run = runTests({ hangs: source }, '--timeout', '2')
  assert.is(run.lastLine, '0 passed, 1 failed')
  assert.match(run.output, 'killed after 2 s')
  await assertRefused(readFileSync(join(shared, 'port'), 'utf8'))
  rmSync(shared, { recursive: true })
})

runner('gives tests no setting of the product but their own', () => {
  const source = `${HEAD}test('env', () => {
    assert.equal(Object.keys(process.env).filter((name) => name.startsWith('SVC_')).sort(), ['SVC_TEST_DATABASE_URL', 'SVC_TEST_SEED'])
    assert.is(process.env.SVC_TEST_DATABASE_URL, 'postgres://given')
  })\ntest.run()`
  const before = { ...process.env }
  delete process.env.SVC_TEST_ROUNDS
  Object.assign(process.env, {
    SVC_PORT: '1',
    SVC_TEST_DATABASE_URL: 'postgres://given',
    SVC_TEST_SEED: '7',
  })
  const run = runTests({ env: source })
  process.env = before
  assert.is(run.lastLine, '1 passed, 0 failed', run.output)
})

runner('starts one PostgreSQL server for all files, and stops it when interrupted', async () => {
  const shared = mkdtempSync(join(tmpdir(), 'svc-runner-'))
  const source = `${HEAD}
import { writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
test('waits', () => new Promise(() => {
  createServer().listen(0, '127.0.0.1', function () {
    const { SVC_TEST_DATABASE_URL: url, TMPDIR: temporary } = process.env
    const { port } = this.address()
    writeFileSync(${JSON.stringify(shared)} + '/' + port, JSON.stringify({ url, temporary, port }))
  })
}))
test.run()`
  const root = projectOf({ a: source, b: source })
  const { SVC_TEST_DATABASE_URL: _, ...env } = process.env
  const child = spawn(process.execPath, [RUNNER, '--root', root, '--no-checks', '--jobs', '2'], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let output = ''
  child.stdout.on('data', (chunk: Buffer) => {
    output += chunk.toString()
  })
  const [first, second] = await twoNotes(shared)
  assert.is(first.url, second.url)
  assert.match(first.url, /^postgres:\/\/postgres:.*@127\.0\.0\.1:\d+\/postgres$/)
  child.kill('SIGINT')
  const [code] = await once(child, 'close')
  assert.is(code, 130)
  assert.match(output, /interrupted\n0 passed, 0 failed\n$/)
  assert.not.ok(existsSync(first.temporary))
  for (const port of [first.port, second.port, new URL(first.url).port]) await assertRefused(port)
  for (const folder of [root, shared]) rmSync(folder, { recursive: true })
})

runner('answers wrong usage with exit code 2', () => {
  const run = runTests({ a: PASSES }, '--jobs', 'many')
  assert.is(run.code, 2)
  assert.match(run.output, '--jobs takes a whole number above 0, got "many"')
})

interface Note {
  readonly url: string
  readonly temporary: string
  readonly port: string
}

/** What two test files left in `folder`; the limit of this file ends a wait in vain. */
async function twoNotes(folder: string): Promise<[Note, Note]> {
  for (;;) {
    const texts = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'))
    const [first, second] = texts.filter((text) => text.endsWith('}'))
    if (first !== undefined && second !== undefined) return [JSON.parse(first), JSON.parse(second)]
    await new Promise((resolve) => setTimeout(resolve, 25))
  }
}

async function assertRefused(port: string | number): Promise<void> {
  const answer = await fetch(`http://127.0.0.1:${port}`).then(
    () => undefined,
    (error: Error) => error.cause,
  )
  assert.match(String(answer), 'ECONNREFUSED')
}

runner.run()

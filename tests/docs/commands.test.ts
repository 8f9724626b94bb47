import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { readOptions as benchOptions } from '../../bench/options.ts'
import { createProgram } from '../../cli/program.ts'
import { runHere } from '../cli/in-process.ts'
import { temporaryFolder } from '../cli/process.ts'
import { MUTATIONS } from '../mutation/mutations.ts'
import { findTestFiles } from '../runner/files.ts'
import { readOptions as runnerOptions } from '../runner/options.ts'
import { readOptions as soakOptions } from '../soak/options.ts'
import { commandsOf, type Named } from './commands.ts'
import { packageScripts, ROOT } from './page.ts'

/*
 * The commands of README and the tour are run by tour.test.ts and first-invoice.test.ts, those of the examples by
 * tests/examples. What takes minutes (`npm ci`, `npm test` and what is like it, soak, mutate, bench, coverage, the
 * binary, the demo) is not run here, for the run of a test would be hours then: it is looked up. Its script has to
 * exist, and take the options and names that the page gives it.
 */
const test = suite('commands of README, CONTRIBUTING and the tour')
const PAGES = ['README.md', 'CONTRIBUTING.md', 'docs/tour.md', 'docs/architecture.md']
const run = promisify(execFile)

/** What reads the arguments of a script; throws for what it does not take. */
const READERS: Readonly<Record<string, (args: readonly string[]) => unknown>> = {
  test: takesTestFiles,
  'test:deep': takesTestFiles,
  soak: soakOptions,
  bench: (args) => benchOptions(args, {}),
  mutate: (args) => {
    for (const text of args)
      assert.ok(
        MUTATIONS.some(
          ({ why, edits }) => why.includes(text) || edits.some(({ file }) => file.includes(text)),
        ),
        `no mutation is about ${text}`,
      )
  },
}

for (const page of PAGES) {
  test(`${page} names none that is not there`, async () => {
    for (const named of commandsOf(page)) await assertKnown(named)
  })
}

async function assertKnown({ text, words: [program, ...args] }: Named): Promise<void> {
  if (program === 'npm') return assertNpm(text, args)
  if (program === 'svc') return assertSvc(text, args)
  if (program === 'npx') return args[0] === 'svc' ? assertSvc(text, args.slice(1)) : undefined
  if (program === '.ci/run') assert.ok(existsSync(join(ROOT, '.ci/run')), text)
  // `node` alone is the program; with an option it is a line of somebody's shell.
  if (program === 'node' && args[0] && !args[0].startsWith('-'))
    assert.ok(existsSync(join(ROOT, args[0])), `${text}: there is no ${args[0]}`)
}

async function assertNpm(text: string, args: readonly string[]): Promise<void> {
  const [first = '', ...others] = args.filter((word) => word !== '-s')
  if (first === 'ci') return
  const [script = '', ...given] = first === 'run' ? others : [first, ...others]
  assert.ok(packageScripts()[script], `${text}: package.json has no script ${script}`)
  const [dashes, ...options] = given
  if (dashes === undefined) return
  assert.is(dashes, '--', text)
  if (script === 'svc') await assertSvc(text, options)
  else if (script === 'start') await assertSvc(text, ['serve', ...options])
  else {
    const reader = READERS[script]
    assert.ok(reader, `${text}: nothing here knows the options of ${script}`)
    reader(options)
  }
}

/** The command is one of svc's, and its options are too. */
async function assertSvc(text: string, args: readonly string[]): Promise<void> {
  let command = await createProgram([...args])
  const known = new Set(command.options.map(({ long }) => long))
  for (const word of args) {
    const below = command.commands.find((one) => one.name() === word)
    if (!below) break
    command = below
  }
  for (const { long } of command.options) known.add(long)
  const [named = ''] = args
  if (!named.startsWith('-') && named !== '')
    assert.ok(command.parent, `${text}: svc has no command ${named}`)
  for (const word of args.filter((one) => one.startsWith('--')))
    assert.ok(known.has(word), `${text}: ${command.name()} has no option ${word}`)
}

function takesTestFiles(args: readonly string[]): void {
  const { filters, deep } = runnerOptions(args, ROOT)
  for (const filter of filters)
    assert.ok(
      findTestFiles(ROOT, [filter], deep).length > 0,
      `no test file's path contains ${filter}`,
    )
}

test('a test file that CONTRIBUTING runs by itself passes by itself', async () => {
  const files = commandsOf('CONTRIBUTING.md')
    .filter(({ words: [program, file] }) => program === 'node' && file?.endsWith('.test.ts'))
    .map(({ words }) => words[1]!)
  assert.ok(files.length > 0)
  for (const file of files) {
    const { stdout } = await run(process.execPath, [file], { cwd: ROOT })
    assert.match(stdout, /Skipped:\s+0/)
  }
})

test('the DocType that CONTRIBUTING makes is made, and checked without a mistake', async () => {
  const folder = temporaryFolder()
  try {
    const commands = commandsOf('CONTRIBUTING.md')
      .map(({ words }) => words.slice(words.indexOf('--') + 1))
      .filter(([first]) => first === 'doctype')
    assert.ok(commands.length > 1)
    for (const args of commands) {
      const { code, stderr } = await runHere([...args, '--data', join(folder.path, 'data')])
      assert.is(code, 0, stderr)
    }
  } finally {
    folder.remove()
  }
})

test.run()

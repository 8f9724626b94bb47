import { readFileSync } from 'node:fs'
import type { Command } from 'commander'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { EXAMPLES } from '../../cli/examples.ts'
import { createProgram } from '../../cli/program.ts'
import { runHere } from './in-process.ts'
import { type Folder, svc, temporaryFolder } from './process.ts'

const usage = suite('the command line')
let folder: Folder

usage.before(() => {
  folder = temporaryFolder()
})
usage.after(() => folder.remove())

/** Every command as its words, `key create` after `key`. */
function commandsOf(command: Command, words: readonly string[] = []): string[][] {
  return command.commands.flatMap((child) => {
    const path = [...words, child.name()]
    return [path, ...commandsOf(child, path)]
  })
}

/** The command that these words lead to. */
function commandAt(program: Command, words: readonly string[]): Command {
  return words.reduce((at, word) => {
    const child = at.commands.find((one) => one.name() === word)
    if (!child) throw new Error(`there is no ${words.join(' ')}`)
    return child
  }, program)
}

usage('has every command of this part', async () => {
  const names = commandsOf(await createProgram([])).map((words) => words.join(' '))
  assert.equal(names, [
    'serve',
    'setup',
    'key',
    'key create',
    'key list',
    'key revoke',
    'user',
    'user add',
    'user list',
    'user disable',
    'user leave',
    'user passwd',
    'user reset-second-factor',
    'role',
    'role list',
    'access',
    'access who',
    'access why',
    'doctype',
    'doctype new',
    'doctype check',
    'doctype diff',
    'doctype list',
    'doctype show',
    'doctype schema',
    'migrate',
    'verify',
    'explain',
    'tick',
    'demo',
    'import',
    'export',
    'backup',
    'restore',
    'types',
    'openapi',
    'client',
    'tier',
    'tier show',
    'tier set',
    'tier clear',
    'billing',
    'billing setup',
    'webhook',
    'webhook listen',
    'webhook trigger',
    'mail',
    'mail returned',
    'doctor',
    'chaos',
    'mcp',
    'completion',
  ])
})

usage('explains each command on stdout with --help and exits 0', async () => {
  const page = readFileSync(new URL('../../docs/cli.md', import.meta.url), 'utf8')
  const headings = [...page.matchAll(/^#+ `svc (.+)`$/gm)].map(([, words]) => words)
  for (const words of commandsOf(await createProgram([]))) {
    const { code, stdout, stderr } = await runHere([...words, '--help'])
    assert.equal([code, stderr], [0, ''], words.join(' '))
    assert.match(stdout, `Usage: svc ${words.join(' ')}`)
    assert.match(stdout, '--debug')
    const [, section] = /\nDocumentation: docs\/cli\.md#svc-(\S+)\n$/.exec(stdout) ?? []
    assert.ok(headings.includes(words.join(' ')) && section === words.join('-'), stdout)
  }
  const words = ['key', 'create', '--help']
  assert.equal(await svc(words), await runHere(words))
  for (const asked of [
    ['help', 'key', 'create'],
    ['key', 'help', 'create'],
  ])
    assert.is((await runHere(asked)).stdout, (await runHere(words)).stdout, asked.join(' '))
})

usage('shows its commands in groups, each with what it does', async () => {
  const { stdout } = await runHere(['--help'])
  const [, ...parts] = stdout.split(/^(?=\S.*:$)/m)
  const groups = parts.filter((part) => !part.startsWith('Options'))
  assert.ok(groups.length >= 5 && !stdout.includes('\nCommands:'), stdout)
  const named = groups.flatMap((part) => [...part.matchAll(/^ {2}(\w+)/gm)].map(([, name]) => name))
  const program = await createProgram([])
  assert.equal(new Set(named), new Set([...program.commands.map((one) => one.name()), 'help']))
})

usage('has one to three examples of each command that does something', async () => {
  const program = await createProgram([])
  const leaves = commandsOf(program).filter(
    (words) => commandAt(program, words).commands.length === 0,
  )
  assert.equal(new Set(Object.keys(EXAMPLES)), new Set(leaves.map((words) => words.join(' '))))
  for (const [name, lines] of Object.entries(EXAMPLES)) {
    assert.ok(lines.length >= 1 && lines.length <= 3, name)
    const { stdout } = await runHere([...name.split(' '), '--help'])
    for (const line of lines) assert.match(stdout, `\n  $ ${line}\n`)
  }
})

for (const [name, lines] of Object.entries(EXAMPLES)) {
  usage(`understands the examples of ${name}`, async () => {
    for (const line of lines) {
      const [program, ...args] = wordsOf(line)
      assert.is(program, 'svc')
      let hasRun = false
      const parser = await createProgram(args)
      commandAt(parser, name.split(' ')).action(() => {
        hasRun = true
      })
      await parser.parseAsync(args, { from: 'user' })
      assert.ok(hasRun, line)
    }
  })
}

/** The words of a line as a shell has them, up to where its output goes. */
function wordsOf(line: string): readonly string[] {
  const [command = ''] = line.split(' > ')
  return [...command.matchAll(/"([^"]*)"|(\S+?)(?:"([^"]*)")?(?=\s|$)/g)].map(
    ([, quoted, plain = '', rest = '']) => quoted ?? plain + rest,
  )
}

usage('offers --data and --database wherever a workspace is touched', async () => {
  const without = new Set([
    'access',
    'key',
    'user',
    'doctype',
    'tier',
    'billing',
    'doctype diff',
    'doctype schema',
    'billing',
    'webhook',
    'webhook listen',
    'webhook trigger',
    'mcp',
    'role',
    'mail',
    'completion',
  ])
  const visit = (command: Command, words: readonly string[]): void => {
    const name = words.join(' ')
    const flags = command.options.map(({ long }) => long)
    if (name !== '' && !without.has(name)) {
      assert.ok(flags.includes('--data') && flags.includes('--database'), name)
    }
    for (const child of command.commands) visit(child, [...words, child.name()])
  }
  visit(await createProgram([]), [])
})

usage('prints its version with the commit', async () => {
  const { code, stdout } = await svc(['--version'])
  assert.is(code, 0)
  assert.match(stdout, /^svc \d+\.\d+\.\d+ \(([0-9a-f]{7,}|unknown)\)\n$/)
})

const WRONG: readonly (readonly [args: readonly string[], line: RegExp])[] = [
  [['srve'], /^svc: unknown command 'srve' \(Did you mean serve\?\)$/],
  [['help', 'srve'], /^svc: unknown command 'srve' \(Did you mean serve\?\)$/],
  [['help', 'foo'], /^svc: unknown command 'foo' \(there are serve, setup, .*completion\)$/],
  [['foo', '--help'], /^svc: unknown command 'foo' \(there are serve, /],
  [['key', 'foo', '--help'], /^svc: unknown command 'foo' \(there are create, list, revoke\)$/],
  [['help', 'key', 'crate'], /^svc: unknown command 'crate' \(Did you mean create\?\)$/],
  [['completion', 'tcsh'], /Allowed choices are bash, zsh, fish\.$/],
  [['webhook', 'listen', '--events', '*'], /^svc: --events: only --register subscribes/],
  [
    ['webhook', 'listen', '--forward-to', 'localhost:3000'],
    /^svc: --forward-to: expected an address such as http:\/\/localhost:3000\/hook, got "localhost:3000"$/,
  ],
  [['serve', '--prot', '1'], /^svc: unknown option '--prot' \(Did you mean --port\?\)$/],
  [['serve', '--port', 'x'], /^svc: --port: expected a port from 0 to 65535, got "x"$/],
  [['serve', '--durability', 'half'], /^svc: --durability: expected full, normal, got "half"$/],
  [['serve', '--data', ''], /^svc: --data: expected a value, got nothing$/],
  [
    ['migrate', '--database', 'mysql://u:secret@h/d'],
    /^svc: --database: expected postgres:\/\/user/,
  ],
  [['key', 'create'], /^svc: required option '--scope <scope>' not specified$/],
  [['key', 'create', '--scope', 'root'], /Allowed choices are read, draft, write, admin\.$/],
  [['key', 'revoke'], /^svc: missing required argument 'id'$/],
  [['tier', 'show', 'x'], /^svc: too many arguments/],
  [
    ['webhook', 'listen', '--port', '99999'],
    /^svc: --port: expected a port from 0 to 65535, got "99999"$/,
  ],
  [['mcp', '--timeout', '0'], /^svc: --timeout: expected whole seconds from 1 to 3600, got "0"$/],
  [['setup', '--email', 'x'], /^svc: --email: expected an address/],
  [
    ['setup', '--country', 'Germny'],
    /^svc: --country: expected the name of a country or its two letters, got "Germny"; did you mean Germany\?$/,
  ],
  [
    ['setup', '--chart', 'SKR03'],
    /^svc: --chart: expected one of General, Germany SKR04, United States, got "SKR03"$/,
  ],
  [['setup', '--currency', 'EURO'], /^svc: --currency: expected one of AED, .*, got "EURO"$/],
  [
    ['setup', '--fiscal-year-start', '02-29'],
    /^svc: --fiscal-year-start: expected month and day such as 04-01, got "02-29"$/,
  ],
  [['setup', '--tier', 'gold'], /^svc: --tier: expected one of free, pro, business, got "gold"$/],
  [['setup', '--password', 'short'], /^svc: --password: expected at least 8 characters, got 5$/],
]

for (const [args, line] of WRONG) {
  usage(`refuses \`svc ${args.join(' ')}\` in one line and exits 2`, async () => {
    const { code, stdout, stderr } = await runHere(args)
    assert.is(code, 2, stderr)
    assert.is(stdout, '')
    assert.match(stderr.trimEnd(), line)
    assert.is(stderr.trimEnd().split('\n').length, 1)
    assert.not.match(stderr, 'secret')
  })
}

usage('ends its process with what it prints and its exit code', async () => {
  assert.equal(await svc(['srve']), await runHere(['srve']))
})

usage('exits 2 and shows help when no command is given', async () => {
  const { code, stderr } = await svc([])
  assert.is(code, 2)
  assert.match(stderr, 'Usage: svc')
})

usage('names a wrong variable of the environment and exits 2', async () => {
  const { code, stderr } = await svc(['key', 'list'], { SVC_DURABILITY: 'half' })
  assert.is(code, 2)
  assert.is(stderr, 'svc: SVC_DURABILITY: expected full, normal, got "half"\n')
})

usage('says in one line what failed and exits 1, with the stack only for --debug', async () => {
  const args = ['key', 'list', '--data', `${folder.path}/none`]
  const plain = await svc(args)
  assert.is(plain.code, 1)
  assert.match(plain.stderr, /^svc: there is no workspace in .*--data names another folder\n$/)
  const debug = await svc([...args, '--debug'])
  assert.is(debug.code, 1)
  assert.match(debug.stderr, /\n {4}at /)
})

usage('asks for a shared secret key before it connects to PostgreSQL', async () => {
  const { code, stderr } = await svc([
    'serve',
    // Where 8000 is taken it would begin with saying so.
    '--port',
    '0',
    '--data',
    folder.path,
    '--database',
    'postgres://svc@127.0.0.1:1/svc',
  ])
  assert.is(code, 1)
  assert.match(
    stderr,
    /^svc: with PostgreSQL every process needs the same secret key: set SVC_SECRET_KEY/,
  )
})

usage('says in one line that a database cannot be reached', async () => {
  const { code, stderr } = await svc(
    ['key', 'list', '--data', folder.path, '--database', 'postgres://svc:pass@127.0.0.1:1/svc'],
    { SVC_SECRET_KEY: Buffer.alloc(32, 1).toString('base64') },
  )
  assert.is(code, 1)
  assert.match(stderr, /^svc: .*ECONNREFUSED.*\n$/)
  assert.not.match(stderr, 'pass')
})

usage.run()

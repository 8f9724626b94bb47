import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Command } from 'commander'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { createProgram } from '../../cli/program.ts'
import { prepareData } from '../helpers/prepared.ts'
import { runHere } from './in-process.ts'
import { temporaryFolder } from './process.ts'

const json = suite('--json')

/** Commands whose output is for programs anyway. */
const WITHOUT = [
  'serve', // its one line is documented
  'mcp', // speaks JSON-RPC
  'types',
  'openapi',
  'client', // writes a description and a configuration for a generator
  'doctype schema',
  'completion',
]

/** The commands that do something, with their words. */
function leaves(command: Command, words: readonly string[] = []): [string, Command][] {
  return command.commands.flatMap((child) => {
    const path = [...words, child.name()]
    return child.commands.length > 0
      ? leaves(child, path)
      : [[path.join(' '), child] as [string, Command]]
  })
}

json(
  'is an option of every command that tells something, and its shape is documented',
  async () => {
    const page = readFileSync(new URL('../../docs/cli.md', import.meta.url), 'utf8')
    const sections = page.split(/^###? /m)
    for (const [name, command] of leaves(await createProgram([]))) {
      const offers = command.options.some(({ long }) => long === '--json')
      assert.is(offers, !WITHOUT.includes(name), name)
      const section = sections.find((text) => text.startsWith(`\`svc ${name}\``)) ?? ''
      if (offers) assert.match(section, /`--json`[^`]*`\[?\{\w+[^`]*\}\]?`/, name)
    }
  },
)

json('tells programs of people what people are told', async () => {
  const folder = temporaryFolder()
  const tell = async (...args: string[]): Promise<unknown> => {
    const data = ['--data', join(folder.path, 'data'), '--json']
    const { code, stdout, stderr } = await runHere([...args, ...data])
    assert.is(code, 0, stderr)
    return JSON.parse(stdout)
  }
  await prepareData(join(folder.path, 'data'))
  try {
    const { password: first, admin_key: key, ...made } = (await tell('setup')) as Told
    assert.match(String(key), /^svc_live_/)
    assert.equal(made, {
      user: 'Administrator',
      email: null,
      company: 'Test Company',
      country: null,
      currency: 'USD',
      chart_of_accounts: 'General',
      fiscal_year_start: '01-01',
      tier: 'free',
    })
    const role = ['--role', 'Sales User']
    const added = (await tell(
      'user',
      'add',
      'Ann@Example.com',
      '--full-name',
      'Ann',
      ...role,
    )) as Told
    const { password: generated, ...person } = added
    const ann = { user: 'ann@example.com', full_name: 'Ann', roles: ['Sales User'] }
    assert.equal(person, ann)
    const { password: changed, ...of } = (await tell('user', 'passwd', 'ann@example.com')) as Told
    assert.equal(of, { user: 'ann@example.com' })
    assert.is(new Set([first, generated, changed]).size, 3)
    assert.equal(await tell('user', 'reset-second-factor', 'Ann@example.com'), {
      user: 'ann@example.com',
    })
    assert.equal(await tell('user', 'disable', 'Ann@example.com'), {
      user: 'ann@example.com',
      enabled: false,
    })
    const nothing = { sessions: 0, pairs: 0, keys: [], links: 0, webhooks: [], records: {} }
    const to = ['--hand-over-to', 'Administrator']
    assert.equal(await tell('user', 'leave', 'Ann@example.com', ...to), nothing)
    const people = (await tell('user', 'list')) as Told[]
    assert.equal(people.at(-1), { ...ann, enabled: false })
  } finally {
    folder.remove()
  }
})

json(
  'refuses a login that is no mail address and a role that is not there, and lists roles',
  async () => {
    const folder = temporaryFolder()
    const data = ['--data', join(folder.path, 'data')]
    const run = (...args: string[]) => runHere([...args, ...data])
    await prepareData(join(folder.path, 'data'))
    try {
      assert.is((await run('setup')).code, 0)
      const ann = ['user', 'add', 'ann@example.com', '--full-name', 'Ann']
      const plain = await run('user', 'add', 'ann', '--full-name', 'Ann')
      assert.equal(plain.code, 2)
      assert.match(plain.stderr, /^svc: expected the mail address of somebody new .*, got "ann"\n$/)
      const wrong = await run(...ann, '--role', 'Sale User')
      assert.is(wrong.code, 2)
      assert.match(
        wrong.stderr,
        /^svc: --role: there is no role "Sale User"; did you mean Sales User\? There are .*Sales Manager, Sales User/,
      )
      assert.is(
        JSON.parse((await run('user', 'list', '--json')).stdout).length,
        1,
        'nobody was added',
      )

      const bare = await run(...ann)
      assert.is(bare.code, 0, bare.stderr)
      assert.match(bare.stderr, /ann@example\.com has no role: signed in they see only .*Countries/)
      assert.not.match(bare.stderr, /they see .*Sales Invoices/)
      assert.match(bare.stderr, /gives one of: .*Sales User/)
      const given = await run(...ann, '--role', 'Sales User')
      assert.not.match(given.stderr, 'has no role')
      // Who is there already may have any login.
      assert.is((await run('user', 'add', 'Administrator', '--role', 'Sales User')).code, 0)

      const roles = JSON.parse((await run('role', 'list', '--json')).stdout) as Told[]
      const sales = roles.find(({ role }) => role === 'Sales User')
      assert.is(sales?.people, 2)
      assert.is(roles.find(({ role }) => role === 'All')?.people, 2)
      const { stdout } = await run('role', 'list')
      assert.match(stdout, /^ROLE {2,}PEOPLE {2}WHAT FOR\n/)
      assert.match(stdout, new RegExp(`^Sales User +2 +${sales?.description}$`, 'm'))
    } finally {
      folder.remove()
    }
  },
)

json.run()

type Told = Readonly<Record<string, unknown>>

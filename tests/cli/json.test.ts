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
  'doctype schema',
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
    assert.equal(await tell('user', 'disable', 'Ann@example.com'), {
      user: 'ann@example.com',
      enabled: false,
    })
    const people = (await tell('user', 'list')) as Told[]
    assert.equal(people.at(-1), { ...ann, enabled: false })
  } finally {
    folder.remove()
  }
})

json.run()

type Told = Readonly<Record<string, unknown>>

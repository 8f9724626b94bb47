import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { ENTRY, temporaryFolder } from './process.ts'

const asking = suite('svc setup on a terminal')
const folder = temporaryFolder()
asking.after(() => folder.remove())

/** What the terminal shows, and how it ended. */
function talk(
  answers: readonly (readonly [asked: string, typed: string])[],
  args: readonly string[],
): Promise<{ code: number; shown: string }> {
  const script = join(import.meta.dirname, 'talk.py')
  const command = [process.execPath, ENTRY, 'setup', '--data', join(folder.path, 'data'), ...args]
  return new Promise((done) => {
    execFile('python3', [script, JSON.stringify(answers), ...command], (error, stdout) =>
      done({ code: Number(error?.code ?? 0), shown: stdout }),
    )
  })
}

const ENTER = '\r'
const CTRL_D = '\u0004'

asking('asks for what no flag says, again where the answer cannot be', async () => {
  const left = await talk([['email', CTRL_D]], [])
  assert.is(left.code, 1)
  assert.match(left.shown, 'svc: interrupted: nothing was set up')

  const answers = [
    ['email', `ann@${ENTER}`],
    ['email', `ann@example.com${ENTER}`],
    ['shown): ', `short${ENTER}`],
    ['shown): ', `correct horse${ENTER}`],
    ['Once more', `correct house${ENTER}`],
    ['shown): ', `correct horse${ENTER}`],
    ['Once more', `correct horse${ENTER}`],
    ['Country', `united${ENTER}`],
    ['Country', `GERMA${ENTER}`],
    ['[EUR]', ENTER],
    ['[Germany SKR04]', `General${ENTER}`],
    ['[01-01]', `13-01${ENTER}`],
    ['[01-01]', ENTER],
    ['for ever) [400]', `7${ENTER}`],
    ['for ever) [400]', ENTER],
  ] as const
  const { code, shown } = await talk(answers, ['--company', 'Blau GmbH', '--tier', 'pro'])
  assert.is(code, 0, shown)
  for (const line of [
    'expected an address such as ann@example.com, got "ann@"',
    'expected at least 8 characters, got 5',
    'the two are not the same',
    'United Arab Emirates, United Kingdom, United States',
    'expected month and day such as 04-01, got "13-01"',
    'user       ann@example.com',
    'company    Blau GmbH',
    'country    Germany',
    'currency   EUR',
    'accounts   General',
    'tier       pro',
  ])
    assert.match(shown, `${line}\r\n`)
  assert.not.match(shown, 'correct ho', 'a password is not shown as it is typed, nor after that')
  assert.not.match(shown, 'Company')
  assert.ok(existsSync(join(folder.path, 'data/workspace.db')))
})

asking.run()

import { execFileSync, spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { fishScript } from '../../cli/completion/fish.ts'
import type { Following } from '../../cli/completion/words.ts'
import { zshScript } from '../../cli/completion/zsh.ts'
import { commandsBelow } from '../../cli/help.ts'
import { createProgram } from '../../cli/program.ts'
import { runHere } from './in-process.ts'
import { type Folder, temporaryFolder } from './process.ts'

const completion = suite('svc completion')
const scripts = new Map<string, string>()
let folder: Folder

completion.before(async () => {
  folder = temporaryFolder()
  for (const shell of ['bash', 'zsh', 'fish']) {
    const { code, stdout, stderr } = await runHere(['completion', shell])
    assert.equal([code, stderr], [0, ''])
    scripts.set(shell, stdout)
    writeFileSync(fileOf(shell), stdout)
  }
})
completion.after(() => folder.remove())

function fileOf(shell: string): string {
  return join(folder.path, `svc.${shell}`)
}

/** What bash offers behind these words, the last of which is being typed. */
function offered(...words: readonly string[]): readonly string[] {
  const program = `source "$1"; shift; COMP_WORDS=(svc "$@"); COMP_CWORD=$#; _svc; printf '%s\\n' "\${COMPREPLY[@]}"`
  const text = execFileSync('bash', ['--norc', '-c', program, 'bash', fileOf('bash'), ...words])
  return text.toString().split('\n').filter(Boolean)
}

completion('completes commands and their own, in bash', async () => {
  const program = await createProgram([])
  const names = program.commands.map((command) => command.name())
  assert.equal(offered(''), names)
  assert.equal(offered('imp'), ['import'])
  assert.equal(offered('key', ''), ['create', 'list', 'revoke'])
  assert.equal(offered('key', 'li'), ['list'])
  assert.equal(offered('completion', ''), ['bash', 'zsh', 'fish'])
})

completion('completes the options of each command, in bash', async () => {
  const program = await createProgram([])
  assert.equal(offered('--'), ['--version', '--debug', '--help'])
  for (const [words, command] of commandsBelow(program)) {
    const own = command.options.map(({ long }) => long)
    assert.equal(offered(...words, '--'), [...own, '--debug', '--help'], words.join(' '))
  }
  assert.equal(offered('serve', '--data', 'x', '--po'), ['--port'])
})

completion(
  'completes the values of an option that has some, and leaves the others to files',
  () => {
    assert.equal(offered('key', 'create', '--scope', ''), ['read', 'draft', 'write', 'admin'])
    assert.equal(offered('key', 'create', '--scope', 'w'), ['write'])
    assert.equal(offered('export', 'customers', '--out', ''), [])
  },
)

for (const [shell, check] of [
  ['bash', '-n'],
  ['zsh', '-n'],
  ['fish', '--no-execute'],
] as const) {
  completion(`makes a script for ${shell} that has every command and option`, async () => {
    const script = scripts.get(shell) ?? ''
    // A shell that is not installed cannot read it; what it would read is looked at below.
    const { error, status, stderr } = spawnSync(shell, [check, fileOf(shell)])
    if (!error) assert.is(status, 0, String(stderr))
    for (const [words, { options }] of commandsBelow(await createProgram([]))) {
      assert.ok(script.includes(`/${words.join('/')}`), words.join(' '))
      for (const { long } of options)
        assert.ok(
          script.includes(shell === 'fish' ? ` -l ${long?.slice(2)} ` : `${long}`),
          long ?? '',
        )
    }
  })
}

completion('quotes what descriptions have of quotes', () => {
  const option = { short: '-x', takesValue: true, choices: ['a', 'b'] }
  const all: readonly Following[] = [
    {
      words: ['make'],
      description: '',
      commands: [],
      options: [{ ...option, word: '--ex', description: "the owner's: $HOME" }],
    },
  ]
  assert.match(zshScript(all), `found=('--ex:the owner'\\''s  $HOME')`)
  assert.match(zshScript(all), `'/make --ex') compadd -- 'a' 'b'; return`)
  assert.match(fishScript(all), `-l ex -s x -r -f -a 'a b' -d 'the owner\\'s: $HOME'`)
})

completion.run()

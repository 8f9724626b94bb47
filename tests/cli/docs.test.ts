import { readFileSync } from 'node:fs'
import type { Command } from 'commander'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { createProgram } from '../../cli/program.ts'
import { addWorkspaceOptions } from '../../cli/workspace.ts'

const page = readFileSync(new URL('../../docs/cli.md', import.meta.url), 'utf8')
const docs = suite('docs/cli.md')

/** The text of each section, by the command its heading names. */
function sections(): Map<string, string> {
  const parts = page.split(/^###? `svc (.+)`$/m)
  const found = new Map<string, string>()
  for (let at = 1; at < parts.length; at += 2) found.set(parts[at] ?? '', parts[at + 1] ?? '')
  return found
}

function commands(command: Command, words: readonly string[] = []): [string, Command][] {
  return command.commands.flatMap((child) => {
    const path = [...words, child.name()]
    return [[path.join(' '), child] as [string, Command], ...commands(child, path)]
  })
}

docs('has a section for each command of the program, in its order, and no other', async () => {
  const names = commands(await createProgram([])).map(([name]) => name)
  assert.equal([...sections().keys()], names)
})

docs('names every flag of each command', async () => {
  const program = await createProgram([])
  const { Command: Fresh } = await import('commander')
  const shared = new Set(addWorkspaceOptions(new Fresh()).options.map(({ long }) => long))
  for (const long of shared) assert.match(page.split('## `svc serve`')[0] ?? '', `\`${long} `)
  const texts = sections()
  for (const [name, command] of commands(program)) {
    for (const { long } of command.options) {
      if (!shared.has(long)) assert.match(texts.get(name) ?? '', long ?? '', `${name} ${long}`)
    }
  }
})

docs('shows each command that does something in an example', () => {
  for (const [name, text] of sections()) {
    if (/^(key|user|role|access|doctype|tier|billing|webhook|mail)$/.test(name)) continue
    assert.match(text, /```console\n\$ /, name)
    assert.match(text, `svc ${name}`, name)
  }
})

docs.run()

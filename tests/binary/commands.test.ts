import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { commitOf } from '../../build/checkout.ts'
import { svc as checkout } from '../cli/process.ts'
import { type Installation, installBinary } from './binary.ts'

const commands = suite('commands of the binary')

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

let installation: Installation

commands.before(() => {
  installation = installBinary()
})
commands.after(() => installation.remove())

function doctype(name: string, text: string): void {
  const folder = join(installation.home, 'data/doctypes')
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, `${name}.yaml`), text)
}

function listed(): readonly Readonly<Record<string, unknown>>[] {
  const { code, stdout, stderr } = installation.svc(['doctype', 'list', '--json'])
  assert.is(code, 0, stderr)
  return JSON.parse(stdout)
}

commands('says its version and the commit it was built of', () => {
  const { code, stdout } = installation.svc(['--version'])
  assert.equal([code, stdout], [0, `svc 0.1.0 (${commitOf(ROOT)})\n`])
})

commands('makes the types and the OpenAPI document that a checkout makes', async () => {
  for (const command of ['types', 'openapi']) {
    const { code, stdout, stderr } = installation.svc([command])
    assert.is(code, 0, stderr)
    assert.ok(stdout === (await checkout([command])).stdout, `svc ${command} differs`)
  }
})

commands('finds nothing wrong with the DocTypes it carries', () => {
  const { code, stdout, stderr } = installation.svc(['doctype', 'check'])
  assert.is(code, 0, stdout + stderr)
})

commands('is extended and overridden by DocTypes in the data folder', () => {
  const before = listed()
  doctype('widget', 'doctype: Widget\nmodule: crm\ntier: free\nfields:\n  colour: {type: data}\n')
  doctype('customer', 'doctype: Customer\nextend: true\nfields:\n  shoe_size: {type: int}\n')
  assert.is(listed().length, before.length + 1)
  const types = installation.svc(['types']).stdout
  assert.match(types, /shoe_size\?: number/)
  assert.match(types, /interface Widget /)
  doctype(
    'designation',
    'doctype: Designation\nmodule: hr\ntier: free\nfields:\n  nothing_else: {type: data}\n',
  )
  const shown = installation.svc(['doctype', 'show', 'Designation']).stdout
  assert.match(shown, 'nothing_else')
  assert.not.match(shown, 'svc:')
})

commands('names the line of a mistake in the data folder', () => {
  doctype(
    'designation',
    'doctype: Designation\nmodule: crm\ntier: free\nfields:\n  a: {type: datta}\n',
  )
  const { code, stderr, stdout } = installation.svc(['doctype', 'check'])
  assert.is(code, 1)
  assert.match(stdout + stderr, /designation\.yaml:5:\d+: /)
})

commands.run()

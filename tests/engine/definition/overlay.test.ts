import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { loadDefinitionTexts } from '../../../engine/definition/load/load.ts'
import type { DocTypeDefinition } from '../../../engine/definition/model/definition.ts'
import { thing } from './marked-files.ts'

const BASE = thing(`list: [a, b]
fields:
  a: {type: data, label: First}
  b: {type: int, min: 1, max: 5}
  rows:
    type: table
    fields:
      c: {type: data}
permissions: {roles: {Clerk: [read]}}
actions:
  one: {when: b > 1, steps: [{set: {b: b + 1}}]}`)

function extended(keys: string, name = 'Thing'): DocTypeDefinition {
  const { registry } = loadDefinitionTexts([
    { path: 'over.yaml', text: `doctype: ${name}\nextend: true\n${keys}\n` },
    { path: 'base.yaml', text: BASE },
  ])
  return registry.byDoctype('Thing')!
}

const overlay = suite('a file with extend: true')

overlay('adds fields after those that are there', () => {
  assert.equal(
    extended('fields: {d: {type: date}}').fields.map(({ name }) => name),
    ['a', 'b', 'rows', 'd'],
  )
})

overlay('changes single keys of a field and leaves the others', () => {
  const { fields } = extended('fields: {a: {required: true}, b: {max: 9}}')
  assert.equal([fields[0]?.label, fields[0]?.required], ['First', true])
  assert.equal([fields[1]?.min, fields[1]?.max], [1, 9])
})

overlay('adds fields to the rows of a table', () => {
  const rows = extended('fields: {rows: {fields: {d: {type: int}}}}').fields[2]?.child
  assert.equal(
    rows?.fields.map(({ name }) => name),
    ['c', 'd'],
  )
})

overlay('replaces lists and texts, and merges other maps by key', () => {
  const changed = extended(
    'label: Other\nlist: [b]\npermissions: {Boss: [read, delete]}\nactions: {two: {steps: [{set: {b: "0"}}]}}',
  )
  assert.equal([changed.label, changed.listFields], ['Other', ['b']])
  assert.equal(changed.behaviour.permissions, { Clerk: ['read'], Boss: ['read', 'delete'] })
  assert.equal(Object.keys(changed.behaviour.actions ?? {}), ['one', 'two'])
})

overlay('is named beside its base, and changes the checksum', () => {
  const changed = extended('label: Other')
  assert.equal(changed.files, ['base.yaml', 'over.yaml'])
  assert.is.not(
    changed.checksum,
    loadDefinitionTexts([{ path: 'base.yaml', text: BASE }]).registry.byDoctype('Thing')?.checksum,
  )
})

overlay.run()

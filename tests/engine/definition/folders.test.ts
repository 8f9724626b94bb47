import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { loadDefinitions } from '../../../engine/definition/load/load.ts'
import { DefinitionErrors } from '../../../engine/definition/yaml/problems.ts'
import { thing } from './marked-files.ts'

const folders = suite('folders of DocTypes')
let root = ''

folders.before.each(() => {
  root = mkdtempSync(join(tmpdir(), 'doctypes-'))
})

folders.after.each(() => {
  rmSync(root, { recursive: true })
})

function write(path: string, text: string | Buffer): void {
  const file = join(root, path)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
}

function messages(paths: readonly string[]): string[] {
  try {
    loadDefinitions(paths.map((path) => join(root, path)))
    return []
  } catch (error) {
    assert.instance(error, DefinitionErrors)
    return (error as Error).message.replaceAll(`${root}/`, '').split('\n')
  }
}

folders('are read with the module folders in them; what is no DocType is left alone', () => {
  write('a/crm/thing.yaml', thing('fields: {}'))
  write('a/setup/box.yml', thing('fields: {}', 'Box'))
  write('a/plans.yaml', 'plans: []')
  write('a/masters.yaml', 'UOM: []')
  write('a/demo-company.yaml', 'company: {}')
  write('a/reports/sales.yaml', 'report: sales')
  write('a/.hidden/x.yaml', ']')
  write('a/README.md', '# no')
  write('a/crm/notes.txt', ']')
  const { registry } = loadDefinitions([join(root, 'a')])
  assert.equal(
    registry.all.map(({ slug }) => slug),
    ['boxes', 'things'],
  )
})

folders('that come later replace DocTypes of the same name, or extend them', () => {
  write('a/crm/thing.yaml', thing('fields: {a: {type: data}}'))
  write('a/crm/box.yaml', thing('fields: {a: {type: data}}', 'Box'))
  write('b/thing.yaml', thing('fields: {b: {type: data}}'))
  write('b/box.yaml', 'doctype: Box\nextend: true\nfields: {b: {type: data}}')
  const { registry } = loadDefinitions([join(root, 'a'), join(root, 'b')])
  const names = (slug: string): unknown => registry.bySlug(slug)?.fields.map(({ name }) => name)
  assert.equal([names('things'), names('boxes')], [['b'], ['a', 'b']])
})

folders('may not declare a DocType twice in one of them', () => {
  write('a/crm/one.yaml', thing('fields: {}'))
  write('a/crm/two.yaml', thing('fields: {}'))
  assert.equal(messages(['a']), [
    `a/crm/two.yaml:1:10: Thing is already declared in ${join(root, 'a/crm/one.yaml').replace(`${root}/`, '')}; remove one, or extend it with extend: true`,
  ])
})

folders(
  'that are not there, files that are too large or no UTF-8 are reported beside all else',
  () => {
    write('a/large.yaml', `description: ${'x'.repeat(256 * 1024)}`)
    write('a/latin.yaml', Buffer.from('description: caf\xe9', 'latin1'))
    write('a/thing.yaml', thing('fields: {a: {type: dta}}'))
    const found = messages(['a', 'nowhere'])
    assert.is(found.length, 4)
    assert.match(found[0]!, /^a\/large\.yaml:1:1: expected a file of at most 256 KB, got 257 KB$/)
    assert.match(found[1]!, /^a\/latin\.yaml:1:1: expected a readable file in UTF-8/)
    assert.match(found[2]!, /^a\/thing\.yaml:4:20: /)
    assert.match(found[3]!, /^nowhere:1:1: expected a folder of DocTypes/)
  },
)

folders('say where something is written, for problems found later', () => {
  write('a/thing.yaml', thing('fields:\n  a: {type: int, formula: 1 + 1}'))
  write('b/thing.yaml', 'doctype: Thing\nextend: true\nfields:\n  b: {type: int, formula: 2 + 2}')
  const { positions } = loadDefinitions([join(root, 'a'), join(root, 'b')])
  const at = (...path: string[]): unknown => {
    const place = positions('Thing', path)
    return place && `${place.file.replace(`${root}/`, '')}:${place.line}:${place.column}`
  }
  assert.is(at('fields', 'a', 'formula'), 'a/thing.yaml:5:27')
  assert.is(at('fields', 'b', 'formula'), 'b/thing.yaml:4:27')
  assert.is(at('fields', 'b', 'default'), 'b/thing.yaml:4:3')
  assert.is(positions('Nothing', []), undefined)
})

folders.run()

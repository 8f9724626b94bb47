import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { parse } from 'yaml'
import { parseFieldSpec } from '../../cli/field-spec.ts'
import { composeDocType } from '../../cli/new-doctype.ts'
import { loadDefinitionTexts } from '../../engine/definition/load/load.ts'
import { fieldTypes } from '../../engine/fields/index.ts'

const compose = suite('the YAML of a new DocType')

function composed(fields: readonly string[], submittable = false): string {
  return composeDocType({
    doctype: 'Fleet Vehicle',
    module: 'assets',
    tiers: ['free', 'pro'],
    submittable,
    fields: fields.map(parseFieldSpec),
  })
}

compose('is a DocType that loads, also without any field', () => {
  const { registry } = loadDefinitionTexts([{ path: 'new.yaml', text: composed([]) }])
  const [definition] = registry.all
  assert.is(definition?.slug, 'fleet-vehicles')
  assert.equal(definition?.naming, { kind: 'series', pattern: 'FV-{#####}' })
  assert.equal(
    definition?.fields.map(({ name, required }) => [name, required]),
    [['title', true]],
  )
})

compose('keeps fields, flags and options as they were given', () => {
  const content = parse(
    composed(['plate:data,required,createOnly', 'state:select:New|Used: no|"x"', 'km:int'], true),
  ) as Record<string, unknown>
  assert.equal(content.fields, {
    plate: { type: 'data', required: true, createOnly: true },
    state: { type: 'select', options: ['New', 'Used: no', '"x"'] },
    km: { type: 'int' },
  })
  assert.is(content.submittable, true)
  assert.is(content.title, 'plate')
  assert.equal(content.search, ['plate'])
})

compose('loads with any one field type that needs no other DocType', () => {
  for (const { name, optionsMean } of fieldTypes.values()) {
    if (optionsMean !== 'nothing' && optionsMean !== 'values') continue
    const options = optionsMean === 'values' ? ':A|B' : ''
    const text = composed([`one:${name}${options}`])
    assert.not.throws(() => loadDefinitionTexts([{ path: 'new.yaml', text }]), undefined, name)
  }
})

compose('names its schema in the first line and teaches in comments', () => {
  const lines = composed(['plate:data']).split('\n')
  assert.is(lines[0], '# yaml-language-server: $schema=../doctype.schema.json')
  assert.ok(lines.filter((line) => line.includes('#')).length > 10)
})

compose.run()

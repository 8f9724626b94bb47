import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { loadDefinitionTexts } from '../../../engine/definition/load/load.ts'
import type { SourceFile } from '../../../engine/definition/yaml/source.ts'
import type { Field } from '../../../engine/fields/field.ts'
import { VOCABULARY } from '../../helpers/vocabulary.ts'

const HEAD = 'module: setup\ntier: free\n'
const file = (path: string, doctype: string, text: string): SourceFile => ({
  path,
  text: `doctype: ${doctype}\n${HEAD}${text}\n`,
})
const FILES = [
  file('center.yaml', 'Center', 'fields: {label: {type: data}}'),
  file('site.yaml', 'Site', 'fields: {center: {type: link, options: Center, filterable: true}}'),
  file(
    'line.yaml',
    'Line',
    `ledger: {balance: [debit, credit], copy: [center]}
use: [{block: told, dimensions: true}]
fields: {center: {type: link, options: Center}, debit: {type: currency}, credit: {type: currency}}`,
  ),
  file(
    'bill.yaml',
    'Bill',
    `submittable: true
fields:
  site: {type: link, options: Site}
  center: {type: link, options: Center, default: site.center}
  rows:
    type: table
    fields: {center: {type: link, options: Center, default: own_center}, own_center: {type: data}, amount: {type: currency}}
effects:
  submit:
    - post: Line
      rows:
        - {each: rows, as: r, group: [center], set: {center: r.center, debit: r.amount}}
        - {set: {center: 'debit > 0 ? center : ""', credit: 'rows.sum(r, r.amount)'}}`,
  ),
  {
    path: 'blocks/told.yaml',
    text: 'parameters: {name: {}, doctype: {}}\nfields: {told_$name: {type: data, description: $doctype}}\n',
  },
]
const REGION = file('region.yaml', 'Region', 'dimension: {as: region, beside: center}\nfields: {}')

const load = (...more: SourceFile[]) =>
  loadDefinitionTexts([...FILES, ...more], VOCABULARY).registry
const fieldOf = (fields: readonly Field[] = [], name: string) => {
  const { link, default: given, filterable } = fields.find((field) => field.name === name)!
  return [link, given, filterable ?? false]
}

const dimensions = suite('a dimension')

dimensions('stands behind the field it stands beside, proposed from where that is proposed', () => {
  const registry = load(REGION)
  const bill = registry.byDoctype('Bill')!
  const names = bill.fields.map(({ name }) => name)
  assert.is(names.indexOf('region'), names.indexOf('center') + 1)
  assert.equal(fieldOf(bill.fields, 'region'), ['Region', 'site.region', false])
  const rows = bill.fields.find(({ name }) => name === 'rows')!.child!.fields
  assert.equal(fieldOf(rows, 'region'), ['Region', 'parent.region', false])
  assert.equal(fieldOf(registry.byDoctype('Site')!.fields, 'region'), ['Region', undefined, true])
})

dimensions('is posted, grouped by and copied as that field is, where it is only taken over', () => {
  const registry = load(REGION)
  const [step] = registry.byDoctype('Bill')!.behaviour.effects!.submit as readonly {
    readonly rows: readonly object[]
  }[]
  assert.equal(step!.rows, [
    {
      each: 'rows',
      as: 'r',
      group: ['center', 'region'],
      set: { center: 'r.center', debit: 'r.amount', region: 'r.region' },
    },
    { set: { center: 'debit > 0 ? center : ""', credit: 'rows.sum(r, r.amount)' } },
  ])
  assert.equal(registry.byDoctype('Line')!.behaviour.ledger!.copy, ['center', 'region'])
})

dimensions('has a block of its own wherever one is used for all of them', () => {
  const line = load(REGION).byDoctype('Line')!
  assert.is(line.fields.find(({ name }) => name === 'told_region')?.description, 'Region')
})

dimensions('changes nothing of those without the field, and there need not be any', () => {
  const [plain, carried] = [load(), load(REGION)]
  assert.equal(plain.byDoctype('Center'), carried.byDoctype('Center'))
  assert.not.ok(plain.byDoctype('Line')!.fields.some(({ name }) => name.startsWith('told_')))
})

dimensions.run()

import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { metaSchemaJson } from '../../engine/definition/grammar/meta-schema.ts'
import { VOCABULARY } from '../helpers/vocabulary.ts'
import { runHere } from './in-process.ts'
import { type Finished, type Folder, svc, temporaryFolder } from './process.ts'

const doctype = suite('svc doctype')
let folder: Folder
let data = ''

doctype.before.each(() => {
  folder = temporaryFolder()
  data = join(folder.path, 'data')
})
doctype.after.each(() => folder.remove())

function run(...args: string[]): Promise<Finished> {
  return runHere(['doctype', ...args, '--data', data])
}

const VEHICLE = ['new', 'Fleet Vehicle', '--module', 'assets', '--field', 'plate:data,required']

doctype(
  'new writes one file, checks it, says what to do next, and never overwrites it',
  async () => {
    const { code, stdout, stderr } = await run(...VEHICLE, '--field', 'note:data,required')
    assert.is(code, 0, stderr)
    const file = join(data, 'doctypes', 'assets', 'fleet-vehicle.yaml')
    assert.match(stdout, `${file}: Fleet Vehicle, resource fleet-vehicles`)
    assert.match(stdout, 'restart `svc serve`')
    assert.match(stdout, /-d '\{"plate":"[^"]+","note":"[^"]+"\}'/)
    const before = readFileSync(file, 'utf8')
    assert.match(before, 'plate: {type: data, required: true}')
    assert.is((await run('check')).code, 0)
    // The first line of the file says where the schema is.
    const schema = readFileSync(join(data, 'doctypes', 'doctype.schema.json'), 'utf8')
    assert.equal(JSON.parse(schema), metaSchemaJson(VOCABULARY))

    const again = await run('new', 'Fleet Vehicle', '--module', 'assets')
    assert.is(again.code, 1)
    assert.match(again.stderr, /^svc: there is a DocType Fleet Vehicle already, in .*\n$/)
    assert.is(readFileSync(file, 'utf8'), before)
    const shipped = await run('new', 'Customer')
    assert.match(shipped.stderr, /already, in \/.*\/customer\.yaml; .*extend: true/)
  },
)

doctype('new writes into the folder of --doctypes', async () => {
  const own = join(folder.path, 'own')
  mkdirSync(own)
  const { code, stdout } = await run(...VEHICLE, '--doctypes', own, '--json')
  assert.is(code, 0)
  const file = join(own, 'assets', 'fleet-vehicle.yaml')
  assert.ok(existsSync(file))
  const { example, ...made } = JSON.parse(stdout)
  assert.equal(made, {
    doctype: 'Fleet Vehicle',
    slug: 'fleet-vehicles',
    module: 'assets',
    file,
  })
  assert.equal(Object.keys(example), ['plate'])
})

doctype('new writes nothing when the result would not load', async () => {
  const fields = ['driver:link:Employe', 'created:datetime', 'for:data']
  const specs = fields.flatMap((field) => ['--field', field])
  const { code, stderr } = await run('new', 'Fleet Vehicle', ...specs)
  assert.is(code, 1)
  for (const told of [/^svc: nothing was written: .*Employe/, /; .*created/, /; .*for\b/])
    assert.match(stderr, told)
  assert.is(stderr.trimEnd().split('\n').length, 1)
  assert.not.ok(existsSync(data))
})

doctype('new tells the mistakes of other files by their places', async () => {
  const own = join(folder.path, 'own')
  mkdirSync(own)
  writeFileSync(
    join(own, 'car.yaml'),
    'doctype: Car\nmodule: assets\ntier: gold\nfields: {km: {type: int}}\n',
  )
  const { code, stderr } = await run(...VEHICLE, '--doctypes', own)
  assert.is(code, 1)
  assert.ok(stderr.startsWith(`${join(own, 'car.yaml')}:3:`), stderr)
  assert.equal(readdirSync(own), ['car.yaml'])
})

doctype('new takes a wrong name, module or field as wrong usage', async () => {
  const wrong: readonly (readonly [args: readonly string[], message: RegExp])[] = [
    [['Fleet/Vehicle'], /expected the name of a DocType/],
    [['Fleet Vehicle', '--module', 'fleet'], /--module fleet: expected one of crm sales/],
    [['Fleet Vehicle', '--field', 'plate:dta'], /--field plate:dta: unknown field type/],
    [['Fleet Vehicle', '--field', 'a:data', '--field', 'a:int'], /--field a is given twice/],
  ]
  for (const [args, message] of wrong) {
    const { code, stderr } = await run('new', ...args)
    assert.is(code, 2, stderr)
    assert.match(stderr, message)
  }
})

doctype('new makes a submittable DocType and takes several kinds of fields', async () => {
  const { code, stderr } = await run(
    'new',
    'Trip',
    '--submittable',
    '--field',
    'driver:link:Employee,filterable',
    '--field',
    'state:select:Planned|Done',
    '--field',
    'cost:currency',
  )
  assert.is(code, 0, stderr)
  const { stdout } = await run('show', 'Trip', '--json')
  const shown = JSON.parse(stdout) as { submittable: boolean; fields: Record<string, unknown>[] }
  assert.is(shown.submittable, true)
  assert.equal(
    shown.fields.map(({ name, type, link, options }) => [name, type, link ?? options]),
    [
      ['driver', 'link', 'Employee'],
      ['state', 'select', ['Planned', 'Done']],
      ['cost', 'currency', undefined],
    ],
  )
})

doctype('check prints every mistake as file:line:column: message and exits 1', async () => {
  const own = join(folder.path, 'own')
  mkdirSync(own)
  const file = join(own, 'vehicle.yaml')
  writeFileSync(
    file,
    'doctype: Pool Car\nmodule: assets\ntier: gold\nfields:\n  km: {type: int, formula: "miles * 2"}\n  driver: {type: link, options: Nobody}\n',
  )
  const { code, stdout, stderr } = await run('check', own)
  assert.is(code, 1)
  assert.is(stdout, '')
  const lines = stderr.trimEnd().split('\n')
  assert.ok(lines.length >= 2, stderr)
  for (const line of lines) assert.match(line, /^\/.*vehicle\.yaml:\d+:\d+: \S/)
  assert.ok(lines.some((line) => line.startsWith(`${file}:3:`)))
  assert.ok(lines.some((line) => line.startsWith(`${file}:6:`)))
})

doctype('check finds mistakes in the labels of papers too', async () => {
  const labels = join(folder.path, 'own/labels')
  mkdirSync(labels, { recursive: true })
  writeFileSync(join(labels, 'it.yaml'), 'Tax: Imposta\nInvoice: [Fattura]\n')
  const { code, stderr } = await run('check', join(folder.path, 'own'))
  assert.is(code, 1)
  assert.is(stderr.trimEnd(), `${join(labels, 'it.yaml')}:2:10: expected a text for "Invoice"`)
})

doctype('check finds mistakes in expressions too', async () => {
  const own = join(folder.path, 'own')
  mkdirSync(own)
  writeFileSync(
    join(own, 'vehicle.yaml'),
    'doctype: Pool Car\nmodule: assets\ntier: free\nfields:\n  km: {type: int, formula: "miles * 2"}\n',
  )
  const { code, stdout, stderr } = await run('check', '--doctypes', own, '--json')
  assert.is(code, 1)
  assert.is(stderr, 'svc: 1 mistake, see the JSON\n')
  const { ok, problems } = JSON.parse(stdout)
  assert.is(ok, false)
  const [{ file, line, message }] = problems
  assert.equal([file, line], [join(own, 'vehicle.yaml'), 5])
  assert.match(message, 'miles')
})

doctype('check says in one line that all is well, and makes no data folder', async () => {
  const { code, stdout, stderr } = await run('check')
  assert.is(code, 0, stderr)
  assert.match(stdout, /^\d+ DocTypes in 1 folder, no mistakes\n$/)
  assert.not.ok(existsSync(data))
})

doctype('check names a folder that is not there', async () => {
  const { code, stderr } = await run('check', join(folder.path, 'none'))
  assert.is(code, 1)
  assert.match(stderr, 'expected a folder of DocTypes')
})

doctype('list and show tell the same for people and programs', async () => {
  const list = JSON.parse((await run('list', '--json')).stdout) as { slug: string }[]
  const table = (await run('list')).stdout.trimEnd().split('\n')
  assert.is(table.length, list.length + 1)
  const customers = list.find(({ slug }) => slug === 'customers')
  assert.ok(customers)
  for (const name of ['Sales Order', 'sales-orders', 'orders']) {
    const { stdout } = await run('show', name)
    assert.match(stdout, /^Sales Order\n/, name)
    assert.match(stdout, 'items.qty')
    assert.match(stdout, /items\.suggested_rate +float +internal, = pricing_rule\.given_rate/)
    assert.match(
      stdout,
      /items\.pricing_rule\.given_rate +pricing_rule__given_rate +draft +fields\.items\.fields\.suggested_rate\.formula/,
    )
  }
})

doctype('show suggests the name that was meant', async () => {
  const { code, stderr } = await run('show', 'custmers')
  assert.is(code, 1)
  assert.is(stderr, 'svc: there is no DocType "custmers"; did you mean customers?\n')
})

doctype('schema writes what editors check the YAML with', async () => {
  const file = join(folder.path, 'schema.json')
  const { code, stdout, stderr } = await svc(['doctype', 'schema', '--out', file])
  assert.is(code, 0)
  assert.is(stdout, '')
  assert.is(stderr, `wrote ${file}\n`)
  assert.equal(JSON.parse(readFileSync(file, 'utf8')), metaSchemaJson(VOCABULARY))
  assert.equal(readdirSync(folder.path), ['schema.json'])
})

doctype.run()

import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { parse } from 'yaml'
import { metaSchemaJson } from '../engine/definition/grammar/meta-schema.ts'
import { createShapeCheck } from '../engine/definition/grammar/shape.ts'
import { loadDefinitions, loadDefinitionTexts } from '../engine/definition/load/load.ts'
import { listRecordSets, type RecordSet } from '../engine/definition/load/record-sets.ts'
import type { Field } from '../engine/fields/field.ts'
import { fieldType } from '../engine/fields/index.ts'
import { checkBehaviour, checkRegistry } from '../engine/rules/program/check.ts'
import { createProgram } from '../engine/rules/program/program.ts'
import { rollupFields } from '../engine/rules/rollups/rollup-fields.ts'
import { hooks } from '../hooks/index.ts'
import {
  blockPath,
  extendsAnother,
  isBlock,
  isDocType,
  isReport,
  yamlExamples,
} from './docs/doctype-pages.ts'
import { VOCABULARY } from './helpers/vocabulary.ts'

const FOLDER = fileURLToPath(new URL('../doctypes', import.meta.url))
const SCHEMA_LINE = '# yaml-language-server: $schema=../doctype.schema.json\n'

const { registry } = loadDefinitions([FOLDER], hooks)
const doctypeFiles = globSync('*/*.yaml', { cwd: FOLDER }).filter(
  (path) => !/^(?:reports|labels|blocks|workspaces)\b/.test(path),
)
const blockFiles = globSync('blocks/*.yaml', { cwd: FOLDER })
const textOf = (path: string): string => readFileSync(`${FOLDER}/${path}`, 'utf8')

const files = suite('the shipped files')

files(
  'begin with the line that lets editors check them, and lie in the folder of their module',
  () => {
    for (const path of doctypeFiles) {
      const text = textOf(path)
      assert.ok(text.startsWith(SCHEMA_LINE), path)
      assert.is((parse(text) as { module: string }).module, path.split(/[/\\]/)[0], path)
    }
  },
)

files('cover every module', () => {
  const covered = new Set(registry.all.map(({ module }) => module))
  assert.equal([...covered].toSorted(), [...VOCABULARY.modules.keys()].toSorted())
})

const doctypes = suite('a shipped DocType')

doctypes('says in a sentence what its records are', () => {
  for (const { doctype, description } of registry.all)
    assert.ok(description?.endsWith('.'), doctype)
})

doctypes('filters by few fields, since each costs an index', () => {
  for (const { doctype, fields } of registry.all) {
    const filterable = fields.filter((field) => field.filterable)
    assert.ok(
      filterable.length <= 10,
      `${doctype}: ${filterable.map(({ name }) => name).join(', ')}`,
    )
  }
})

doctypes('behaves by expressions that all compile, over fields that exist', () => {
  const program = createProgram(registry)
  for (const definition of registry.all)
    assert.equal(checkBehaviour(program, definition), [], definition.doctype)
})

doctypes('adds up rows by a link to itself, where the key is a field', () => {
  for (const definition of registry.all) {
    for (const { table, field } of rollupFields(definition)) {
      const { from, match } = field.rollup!
      const [name = '', rows] = from.split('.')
      const source = registry.byDoctype(name)!
      const fields =
        rows === undefined
          ? source.fields
          : source.fields.find((candidate) => candidate.name === rows)!.child!.fields
      const key = fields.find((candidate) => candidate.name === match)
      // A field that only says what a link does stands for that link.
      const link = fields.find((candidate) => candidate.name === key?.formula) ?? key
      if (!link || link.linkFrom !== undefined) continue
      const label = `${definition.doctype}.${field.name}: match`
      assert.is(link.link, definition.doctype, label)
      assert.is(link.linkTable, table, label)
    }
  }
})

doctypes('answers to the aliases of the specification', () => {
  assert.is(registry.bySlug('invoices')?.slug, 'sales-invoices')
  assert.is(registry.bySlug('orders')?.slug, 'sales-orders')
})

const masters = suite('the records of a new workspace')

type Records = Readonly<Record<string, readonly Readonly<Record<string, unknown>>[]>>

const setsOf = (kind: string): readonly RecordSet[] => listRecordSets([FOLDER], kind)
const [records, charts, taxes, places] = ['records', 'charts', 'taxes', 'places'].map(setsOf) as [
  readonly RecordSet[],
  readonly RecordSet[],
  readonly RecordSet[],
  readonly RecordSet[],
]
const named = (sets: readonly RecordSet[], name: string): RecordSet =>
  sets.find((set) => set.name === name)!

masters('are valid with every chart and all taxes, each after those it links to', () => {
  const world = new Map<string, Set<unknown>>()
  for (const { records: list } of records) assertRecords(list, world)
  const general = named(taxes, 'General')
  for (const chart of charts) {
    const names = new Map(world)
    assertRecords(chart.records, names)
    for (const [field, account] of Object.entries(chart.sets))
      assert.ok(names.get('Account')?.has(account), `${chart.name}: ${field}`)
    for (const [doctype, others] of Object.entries(chart.also)) {
      for (const is of Object.values(others)) assert.ok(names.get(doctype)?.has(is), is)
      names.set(doctype, new Set([...names.get(doctype)!, ...Object.keys(others)]))
    }
    const isGeneral = chart.name === 'General'
    const fitting = isGeneral
      ? taxes
      : [general, ...taxes.filter((set) => chart.countries.includes(set.name))]
    for (const set of fitting) assertRecords(set.records, new Map(names))
    assertRecords(general.records, names)
    for (const { records: list } of places) assertRecords(list, names)
    assertRecords(parse(textOf('masters.yaml')) as Records, names)
  }
})

masters('give every company the accounts that it has a field for, whatever its chart', () => {
  const wanted = registry
    .byDoctype('Company')!
    .fields.filter(({ link, defaultFrom }) => link === 'Account' && defaultFrom !== undefined)
    .map(({ name }) => name)
  assert.is(charts.length, 3)
  for (const { name, sets } of charts)
    assert.equal(Object.keys(sets).toSorted(), wanted.toSorted(), name)
})

masters('know taxes and charts by the names of countries', () => {
  const countries = new Set(
    records.flatMap((set) => (set.records.Country ?? []).map(({ country_name }) => country_name)),
  )
  assert.is(countries.size, 249)
  for (const { name } of taxes) if (name !== 'General') assert.ok(countries.has(name), name)
  for (const chart of charts)
    for (const country of chart.countries) assert.ok(countries.has(country), country)
  assert.ok(taxes.length >= 31)
})

function assertRecords(records: Records, names: Map<string, Set<unknown>>): void {
  for (const [doctype, list] of Object.entries(records)) assertList(doctype, list, names)
}

function assertList(
  doctype: string,
  list: Records[string],
  names: Map<string, Set<unknown>>,
): void {
  const definition = registry.byDoctype(doctype)
  assert.ok(definition, `no DocType ${doctype}`)
  const known = new Set<unknown>()
  const all = new Set(names.get(doctype))
  names.set(doctype, all)
  for (const record of list) {
    const name = record[definition.idField]
    assert.not.ok(known.has(name), `${doctype} ${name} stands there twice`)
    for (const [key, value] of Object.entries(record)) {
      if (key === 'name' && definition.naming.kind === 'prompt') continue
      const field = registry.fieldOf(definition, key)
      assert.ok(field, `${doctype} ${name}: ${key}`)
      if (!field.child) assertMaster(field, value, names, `${doctype} ${name}: ${key}`)
      else {
        for (const row of value as Record<string, unknown>[]) {
          for (const [column, cell] of Object.entries(row)) {
            const label = `${doctype} ${name}: ${key}.${column}`
            const found = field.child.fields.find((candidate) => candidate.name === column)
            assert.ok(found, label)
            assertMaster(found, cell, names, label)
          }
        }
      }
    }
    for (const field of definition.fields)
      if (field.required) assert.ok(record[field.name], `${doctype} ${name}: ${field.name}`)
    known.add(name)
    all.add(name)
  }
}

/** A value fits its field, and what it links to stands there before it. */
function assertMaster(
  field: Field,
  value: unknown,
  names: ReadonlyMap<string, ReadonlySet<unknown>>,
  label: string,
): void {
  assert.not.ok(field.readOnly, label)
  if (/^\{\w+\}$/.test(String(value))) return
  assert.not.throws(() => fieldType(field.type).read(value, field), undefined, label)
  if (field.pattern !== undefined) assert.match(String(value), new RegExp(field.pattern))
  if (field.link !== undefined) assert.ok(names.get(field.link)?.has(value), label)
}

const plans = suite('plans.yaml')

plans(
  'has the tiers of the specification in their order, and each higher one has what the lower have',
  () => {
    interface Plans {
      readonly features: Record<string, string>
      readonly plans: readonly {
        readonly slug: string
        readonly features: readonly string[]
        readonly requests_per_minute: number
      }[]
    }
    const { features, plans: list } = parse(textOf('plans.yaml')) as Plans
    assert.equal(
      list.map(({ slug }) => slug),
      ['free', 'pro', 'business'],
    )
    for (const [index, plan] of list.entries()) {
      for (const feature of plan.features) assert.ok(feature in features, feature)
      const lower = list[index - 1]
      for (const feature of lower?.features ?? [])
        assert.ok(plan.features.includes(feature), `${plan.slug}: ${feature}`)
      assert.ok(plan.requests_per_minute > (lower?.requests_per_minute ?? 0), plan.slug)
    }
  },
)

const readme = suite('the examples of the tutorial and of the cookbook')
const examples = yamlExamples().filter((text) => !isReport(text))

readme('that are whole files load on top of the shipped ones', () => {
  const blocks = blockFiles.map((path) => ({ path, text: textOf(path) }))
  const shipped = doctypeFiles.map((path) => ({ path, text: textOf(path) }))
  const children = shipped.filter(({ text }) => /^child: true$/m.test(text))
  const whole = examples
    .filter(isDocType)
    .toSorted((one, other) => Number(extendsAnother(one)) - Number(extendsAnother(other)))
    .map((text, index) => ({ path: `example-${index + 1}.yaml`, text }))
  assert.ok(whole.length >= 3)
  const own = examples.filter(isBlock).map((text) => ({ path: blockPath(text), text }))
  const loaded = loadDefinitionTexts(
    [
      ...blocks,
      ...children,
      ...shipped.filter((file) => !children.includes(file)),
      ...whole,
      ...own,
    ],
    VOCABULARY,
  )
  assert.ok(loaded.registry.bySlug('fleet-vehicles'))
  assert.equal(
    checkRegistry(loaded.registry).mistakes.map(({ definition, problem }) => [
      definition.doctype,
      problem,
    ]),
    [],
  )
})

readme('that are parts use the keys of the language', () => {
  const checkShape = createShapeCheck(metaSchemaJson(VOCABULARY))
  for (const text of examples.filter((example) => !isDocType(example) && !isBlock(example))) {
    const part = parse(text) as object
    assert.equal(
      checkShape({ doctype: 'Example', module: 'setup', tier: 'free', fields: {}, ...part }),
      [],
      text,
    )
  }
})

files.run()
doctypes.run()
masters.run()
plans.run()
readme.run()

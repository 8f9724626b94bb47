import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { Ajv } from 'ajv'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { parse } from 'yaml'
import { referencePage } from '../cli/reference-page.ts'
import { blockSchemaJson } from '../engine/definition/grammar/block-schema.ts'
import { metaSchemaJson } from '../engine/definition/grammar/meta-schema.ts'
import { isBlockFile } from '../engine/definition/load/blocks.ts'
import { readFolders, readReportFiles } from '../engine/definition/load/folders.ts'
import { fieldTypes } from '../engine/fields/index.ts'
import { TYPE_MEANINGS } from '../engine/fields/type-meanings.ts'
import { reportBlockSchemaJson } from '../engine/reports/declare/report-block-schema.ts'
import { reportSchemaJson } from '../engine/reports/declare/report-schema.ts'
import { VOCABULARY } from './helpers/vocabulary.ts'

const folder = resolve(import.meta.dirname, '../doctypes')
const shipped = JSON.parse(readFileSync(join(folder, 'doctype.schema.json'), 'utf8')) as object

const test = suite('doctype.schema.json')

test('is what the engine checks with (npm run schema writes it)', () => {
  assert.equal(shipped, JSON.parse(JSON.stringify(metaSchemaJson(VOCABULARY))))
})

test('accepts every shipped YAML, as an editor would see it', () => {
  const validate = new Ajv({ strict: false, allErrors: true, validateFormats: false }).compile(
    shipped,
  )
  const { layers } = readFolders([folder])
  const files = layers.flat().filter((file) => !isBlockFile(file))
  assert.ok(files.length > 40)
  for (const { path, text } of files) {
    assert.ok(validate(parse(text)), `${path}: ${JSON.stringify(validate.errors)}`)
    assert.match(text.split('\n')[0] ?? '', '$schema=../doctype.schema.json', path)
  }
})

const blocks = suite('block.schema.json')

for (const [name, isForReports, made] of [
  ['block.schema.json', false, blockSchemaJson(VOCABULARY)],
  ['report-block.schema.json', true, reportBlockSchemaJson(VOCABULARY)],
] as const)
  blocks(`is what the engine checks blocks with, and accepts every shipped one: ${name}`, () => {
    const schema = JSON.parse(readFileSync(join(folder, name), 'utf8')) as object
    assert.equal(schema, JSON.parse(JSON.stringify(made)))
    const validate = new Ajv({ strict: false, allErrors: true, validateFormats: false }).compile(
      schema,
    )
    const files = readFolders([folder])
      .layers.flat()
      .filter((file) => isBlockFile(file) && /^kind: report$/m.test(file.text) === isForReports)
    assert.ok(files.length > 0)
    for (const { path, text } of files) {
      assert.ok(validate(parse(text)), `${path}: ${JSON.stringify(validate.errors)}`)
      assert.match(text.split('\n')[0] ?? '', `$schema=../${name}`, path)
    }
  })

const reports = suite('report.schema.json')

reports('is what the engine checks reports with, and accepts every shipped one', () => {
  const schema = JSON.parse(readFileSync(join(folder, 'report.schema.json'), 'utf8')) as object
  assert.equal(schema, JSON.parse(JSON.stringify(reportSchemaJson(VOCABULARY))))
  const validate = new Ajv({ strict: false, allErrors: true, validateFormats: false }).compile(
    schema,
  )
  const files = readReportFiles([folder]).layers.flat()
  assert.ok(files.length > 0)
  for (const { path, text } of files) {
    assert.ok(validate(parse(text)), `${path}: ${JSON.stringify(validate.errors)}`)
    assert.match(text.split('\n')[0] ?? '', '$schema=../report.schema.json', path)
  }
})

const reference = suite('docs/doctypes/reference.md')

reference('is made of the descriptions (npm run schema writes it)', () => {
  const page = readFileSync(join(folder, '../docs/doctypes/reference.md'), 'utf8')
  assert.fixture(page, referencePage(VOCABULARY))
})

reference('tells every field type, and no other', () => {
  assert.equal(Object.keys(TYPE_MEANINGS).sort(), [...fieldTypes.keys()].sort())
})

reference('shows only examples that the language takes', () => {
  const root = JSON.parse(JSON.stringify(metaSchemaJson(VOCABULARY))) as Schema
  const ajv = new Ajv({ strict: false, validateFormats: false })
  let seen = 0
  const walk = (schema: unknown, word: string): void => {
    if (typeof schema !== 'object' || schema === null) return
    const { examples = [], ...rules } = schema as Schema
    for (const example of examples) {
      const check = ajv.compile({ ...rules, definitions: root.definitions })
      assert.ok(
        check(example),
        `${word}: ${JSON.stringify(example)} ${ajv.errorsText(check.errors)}`,
      )
      seen += 1
    }
    for (const [key, inner] of Object.entries(rules)) walk(inner, key)
  }
  walk(root, 'DocType')
  assert.ok(seen > 80, `${seen} examples`)
})

interface Schema {
  readonly examples?: readonly unknown[]
  readonly definitions?: object
}

test.run()
blocks.run()
reports.run()
reference.run()

import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { Ajv } from 'ajv'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { parse } from 'yaml'
import { readFolders, readReportFiles } from '../engine/definition/folders.ts'
import { metaSchemaJson } from '../engine/definition/meta-schema.ts'
import { reportSchemaJson } from '../engine/reports/report-schema.ts'

const folder = resolve(import.meta.dirname, '../doctypes')
const shipped = JSON.parse(readFileSync(join(folder, 'doctype.schema.json'), 'utf8')) as object

const test = suite('doctype.schema.json')

test('is what the engine checks with (npm run schema writes it)', () => {
  assert.equal(shipped, JSON.parse(JSON.stringify(metaSchemaJson())))
})

test('accepts every shipped YAML, as an editor would see it', () => {
  const validate = new Ajv({ strict: false, allErrors: true, validateFormats: false }).compile(
    shipped,
  )
  const { layers } = readFolders([folder])
  const files = layers.flat()
  assert.ok(files.length > 40)
  for (const { path, text } of files) {
    assert.ok(validate(parse(text)), `${path}: ${JSON.stringify(validate.errors)}`)
    assert.match(text.split('\n')[0] ?? '', '$schema=../doctype.schema.json', path)
  }
})

const reports = suite('report.schema.json')

reports('is what the engine checks reports with, and accepts every shipped one', () => {
  const schema = JSON.parse(readFileSync(join(folder, 'report.schema.json'), 'utf8')) as object
  assert.equal(schema, JSON.parse(JSON.stringify(reportSchemaJson())))
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

test.run()
reports.run()

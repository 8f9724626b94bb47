import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { Ajv } from 'ajv'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { parse } from 'yaml'
import { readFolders } from '../engine/definition/folders.ts'
import { metaSchemaJson } from '../engine/definition/meta-schema.ts'

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

test.run()

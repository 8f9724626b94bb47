import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { Ajv } from 'ajv'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { metaSchemaJson } from '../../../engine/definition/meta-schema.ts'
import { parseYaml } from '../../../engine/definition/parse.ts'
import { createShapeCheck } from '../../../engine/definition/shape.ts'
import { randomFrom } from './random.ts'

const SEED = Number(process.env.SEED ?? Date.now() % 1_000_000)
console.log(`meta-schema.test.ts: SEED=${SEED}`)

const ROOT = fileURLToPath(new URL('../../../doctypes', import.meta.url))
const shipped = globSync('!(reports|labels)/*.yaml', { cwd: ROOT }).map(
  (path) => parseYaml(readFileSync(`${ROOT}/${path}`, 'utf8')).data,
)
const validate = new Ajv({
  strictTypes: false,
  strictTuples: false,
  strictRequired: false,
}).compile(metaSchemaJson())
const checkShape = createShapeCheck()

const schema = suite('the JSON Schema of a DocType')

schema('is draft 7, as the YAML language server wants it, and plain JSON', () => {
  assert.is(metaSchemaJson().$schema, 'http://json-schema.org/draft-07/schema#')
  assert.equal(JSON.parse(JSON.stringify(metaSchemaJson())), metaSchemaJson())
})

schema('describes every property it has', () => {
  const lacking: string[] = []
  const walk = (node: unknown, path: string, isCondition: boolean): void => {
    if (typeof node !== 'object' || node === null) return
    for (const [key, value] of Object.entries(node)) {
      const inCondition =
        isCondition || key === 'if' || key === 'then' || key === 'else' || key === 'allOf'
      if (key === 'properties' && !inCondition) {
        for (const [name, property] of Object.entries(
          value as Record<string, { description?: string; $ref?: string }>,
        )) {
          const described = property.description ?? property.$ref
          if (!described) lacking.push(`${path}.${name}`)
        }
      }
      walk(value, `${path}.${key}`, inCondition)
    }
  }
  walk(metaSchemaJson(), '', false)
  assert.equal(lacking, [])
})

schema('takes every shipped DocType', () => {
  for (const data of shipped) assert.ok(validate(data), JSON.stringify(validate.errors))
})

schema('is read by the loader as ajv reads it: both refuse the same content', () => {
  const random = randomFrom(SEED)
  const junk = [
    null,
    0,
    -1,
    1.5,
    true,
    '',
    'x',
    'A b',
    [],
    ['a'],
    [1],
    {},
    { a: 1 },
    { type: 'int' },
    { field: 'a', derive: {} },
  ]
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!
  let refused = 0
  for (let run = 0; run < 4000; run += 1) {
    const data = structuredClone(pick(shipped)) as Record<string, unknown>
    let parent: Record<string, unknown> = data
    for (;;) {
      const key = pick(Object.keys(parent))
      const value = parent[key]
      if (
        typeof value === 'object' &&
        value !== null &&
        Object.keys(value).length > 0 &&
        random() < 0.8
      ) {
        parent = value as Record<string, unknown>
        continue
      }
      const kind = random()
      if (kind < 0.5) parent[key] = pick(junk)
      else if (kind < 0.75 && !Array.isArray(parent)) delete parent[key]
      else if (!Array.isArray(parent))
        parent[pick(['extend', 'Bad Key', 'unknown', 'type', 'options'])] = pick(junk)
      break
    }
    const found = checkShape(data)
    assert.is(
      found.length === 0,
      validate(data),
      `${JSON.stringify(data)}\n${JSON.stringify(validate.errors)}\n${JSON.stringify(found)}`,
    )
    if (found.length > 0) refused += 1
  }
  assert.ok(refused > 400, `only ${refused} were refused`)
})

schema.run()

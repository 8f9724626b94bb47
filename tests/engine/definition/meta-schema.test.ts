import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { Ajv } from 'ajv'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { metaSchemaJson } from '../../../engine/definition/grammar/meta-schema.ts'
import { createShapeCheck } from '../../../engine/definition/grammar/shape.ts'
import { parseYaml } from '../../../engine/definition/yaml/parse.ts'
import type { JsonSchema } from '../../../engine/fields/field-type.ts'
import { reportSchemaJson } from '../../../engine/reports/declare/report-schema.ts'
import { randomOf, rounds, seedsOf } from '../../helpers/random.ts'
import { VOCABULARY } from '../../helpers/vocabulary.ts'

const SEEDS = seedsOf(import.meta.filename, [594_958, 1, 2])

const ROOT = fileURLToPath(new URL('../../../doctypes', import.meta.url))
const shipped = globSync('!(reports|labels|blocks|workspaces)/*.yaml', { cwd: ROOT }).map(
  (path) => parseYaml(readFileSync(`${ROOT}/${path}`, 'utf8')).data,
)
const ajv = new Ajv({ strictTypes: false, strictTuples: false, strictRequired: false })
const validate = ajv.compile(metaSchemaJson(VOCABULARY))
const checkShape = createShapeCheck(metaSchemaJson(VOCABULARY))

const schema = suite('the JSON Schema of a DocType')

schema('is draft 7, as the YAML language server wants it, and plain JSON', () => {
  assert.is(metaSchemaJson(VOCABULARY).$schema, 'http://json-schema.org/draft-07/schema#')
  assert.equal(JSON.parse(JSON.stringify(metaSchemaJson(VOCABULARY))), metaSchemaJson(VOCABULARY))
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
  walk(metaSchemaJson(VOCABULARY), '', false)
  assert.equal(lacking, [])
})

schema('takes every shipped DocType', () => {
  for (const data of shipped) assert.ok(validate(data), JSON.stringify(validate.errors))
})

/** Words that only tell. */
const TELLING: ReadonlySet<string> = new Set([
  '$schema',
  '$id',
  '$comment',
  'title',
  'description',
  'examples',
])

/** For each word that asks for something: a schema with it, what meets it and what does not. */
const WORDS: Readonly<
  Record<
    string,
    readonly [schema: JsonSchema, right: readonly unknown[], wrong: readonly unknown[]]
  >
> = {
  $ref: [{ $ref: '#/definitions/a', definitions: { a: { type: 'string' } } }, ['x'], [1, null]],
  definitions: [{ definitions: { a: { type: 'string' } } }, [1], []],
  type: [{ type: ['string', 'array'] }, ['', []], [1, null, {}, true]],
  enum: [{ enum: ['a', 'b'] }, ['a', 'b'], ['c', '', 1, null]],
  const: [{ const: true }, [true], [false, 1, null, 'true']],
  pattern: [{ pattern: '^a+$' }, ['aa', 1], ['b', '']],
  minLength: [{ minLength: 1 }, ['a', []], ['']],
  maxLength: [{ maxLength: 2 }, ['ab', '🚀🚀', [1, 2, 3]], ['abc', '🚀🚀🚀']],
  minimum: [{ minimum: 2 }, [2, '1'], [1, 1.9, -3]],
  maximum: [{ maximum: 2 }, [2, '3'], [3, 2.1]],
  items: [{ items: { type: 'string' } }, [[], ['a'], 1], [[1], ['a', null]]],
  minItems: [{ minItems: 1 }, [['a'], [null], ''], [[]]],
  maxItems: [{ maxItems: 2 }, [['a', 'b'], 'abc'], [[1, 2, 3]]],
  uniqueItems: [
    { uniqueItems: true },
    [[], ['a', 'b'], [1, '1'], [{ a: 1 }, { a: 2 }], 'aa'],
    [
      ['a', 'b', 'a'],
      [null, null],
      [
        { a: 1, b: [2] },
        { b: [2], a: 1 },
      ],
    ],
  ],
  properties: [{ properties: { a: { type: 'string' } } }, [{ a: '' }, {}, { b: 1 }], [{ a: 1 }]],
  additionalProperties: [
    { properties: { a: {} }, additionalProperties: { type: 'string' } },
    [{ a: 1, b: '' }, {}],
    [{ b: 1 }],
  ],
  propertyNames: [{ propertyNames: { pattern: '^a' } }, [{ a: 1 }, {}], [{ b: 1 }]],
  maxProperties: [{ maxProperties: 1 }, [{ a: 1 }, {}, [1, 2]], [{ a: 1, b: 2 }]],
  required: [{ required: ['a'] }, [{ a: null }, 1, []], [{}, { b: 1 }]],
  allOf: [{ allOf: [{ required: ['a'] }, { maxProperties: 1 }] }, [{ a: 1 }], [{}, { a: 1, b: 2 }]],
  oneOf: [
    { type: 'object', oneOf: [{ required: ['a'] }, { required: ['b'] }] },
    [{ a: 1 }, { b: 1 }],
    [{}, { a: 1, b: 1 }],
  ],
  if: [
    { if: { properties: { a: { const: 1 } } }, else: { required: ['b'] } },
    [{ a: 1 }, {}, { a: 2, b: 1 }],
    [{ a: 2 }],
  ],
  // biome-ignore lint/suspicious/noThenProperty: `then` is a keyword of JSON Schema
  then: [{ if: { required: ['a'] }, then: { required: ['b'] } }, [{}, { a: 1, b: 1 }], [{ a: 1 }]],
  else: [{ if: { required: ['a'] }, else: { required: ['b'] } }, [{ a: 1 }, { b: 1 }], [{}]],
}

/** A schema and all it is made of. */
function partsOf(schema: JsonSchema): JsonSchema[] {
  const below = Object.entries(schema).flatMap(([word, value]) => {
    if (['enum', 'const', 'required', 'type', 'examples'].includes(word)) return []
    const isNamed = word === 'properties' || word === 'definitions' || Array.isArray(value)
    return (isNamed ? Object.values(value as object) : [value]) as unknown[]
  })
  const schemas = below.filter(
    (part): part is JsonSchema => typeof part === 'object' && part !== null,
  )
  return [schema, ...schemas.flatMap(partsOf)]
}

for (const [name, written] of [
  ['DocTypes', metaSchemaJson(VOCABULARY)],
  ['reports', reportSchemaJson(VOCABULARY)],
] as const)
  schema(`is written in words that the loader reads: of ${name}`, () => {
    const words = new Set(partsOf(written).flatMap((part) => Object.keys(part)))
    const unread = [...words].filter((word) => !TELLING.has(word) && !WORDS[word])
    assert.equal(unread, [])
  })

schema(
  'asks in its conditions only for keys and plain values, all that the loader looks at',
  () => {
    const conditions = [metaSchemaJson(VOCABULARY), reportSchemaJson(VOCABULARY)]
      .flatMap(partsOf)
      .flatMap(({ if: asked, oneOf = [] }) => [...(asked ? [asked] : []), ...(oneOf as unknown[])])
    assert.ok(conditions.length > 5, `${conditions.length} conditions`)
    for (const { required: _, properties = {}, ...rest } of conditions as JsonSchema[]) {
      assert.equal(rest, {})
      for (const property of Object.values(properties as Record<string, JsonSchema>))
        assert.equal(
          Object.keys(property).filter((word) => word !== 'enum' && word !== 'const'),
          [],
        )
    }
  },
)

schema('means by each word what ajv means by it', () => {
  for (const [word, [meant, right, wrong]] of Object.entries(WORDS)) {
    const byAjv = ajv.compile(meant)
    const byLoader = createShapeCheck(meant)
    for (const data of [...right, ...wrong]) {
      const label = `${word}: ${JSON.stringify(data)}`
      assert.is(byAjv(data), right.includes(data), `${label} for ajv`)
      assert.is(byLoader(data).length === 0, right.includes(data), `${label} for the loader`)
    }
  }
})

const JUNK = [
  ...[null, 0, -1, 1.5, true, '', 'x', 'A b', {}, { a: 1 }, { type: 'int' }],
  ...[{ field: 'a', derive: {} }, [], ['a'], ['a', 'a'], [1]],
]

for (const seed of SEEDS)
  schema(`is read by the loader as ajv reads it: both refuse the same (seed ${seed})`, () => {
    const random = randomOf(seed)
    const runs = rounds(700)
    let refused = 0
    for (let run = 0; run < runs; run += 1) {
      const data = structuredClone(random.one(shipped)) as Record<string, unknown>
      let parent: Record<string, unknown> = data
      for (;;) {
        const key = random.one(Object.keys(parent))
        const value = parent[key]
        const isFull = typeof value === 'object' && value !== null && Object.keys(value).length > 0
        if (isFull && random.chance(0.8)) {
          parent = value as Record<string, unknown>
          continue
        }
        const kind = random.next()
        if (kind < 0.5) parent[key] = random.one(JUNK)
        else if (kind < 0.75 && !Array.isArray(parent)) delete parent[key]
        else if (!Array.isArray(parent))
          parent[random.one(['extend', 'Bad Key', 'unknown', 'type', 'options'])] = random.one(JUNK)
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
    assert.ok(refused > runs / 10, `only ${refused} were refused`)
  })

schema.run()

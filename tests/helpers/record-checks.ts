import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import * as assert from 'uvu/assert'
import type { DocTypeDefinition } from '../../engine/definition/model/definition.ts'
import type { Registry } from '../../engine/definition/model/registry.ts'
import { listDocuments } from '../../engine/documents/lists/list.ts'
import { getDocument } from '../../engine/documents/operations/get.ts'
import type { Context } from '../../engine/documents/work/context.ts'
import type { JsonSchema } from '../../engine/fields/field-type.ts'
import { recordSchema, rowSchema } from '../../engine/schema/shapes/doctype-schemas.ts'
import { childrenOf, schemaNames } from '../../engine/schema/shapes/schema-names.ts'

const PAGE = 500

/** Asserts that a record fits the shape that the generated types and OpenAPI tell of it, and has no other keys. */
export type AssertTyped = (definition: DocTypeDefinition, record: object) => void

export function recordChecker(registry: Registry): AssertTyped {
  const names = schemaNames(registry)
  const refTo = (name: string): string => `#/definitions/${name}`
  const definitions = Object.fromEntries(
    childrenOf(registry).map((child) => [names.row(child), closed(rowSchema(child, names, refTo))]),
  )
  const ajv = new Ajv2020({
    strict: false,
    allErrors: true,
    validateSchema: false,
    inlineRefs: false,
    code: { optimize: false },
  })
  addFormats.default(ajv)
  const compiled = new Map<string, ValidateFunction>()
  return (definition, record) => {
    const { doctype } = definition
    const fits =
      compiled.get(doctype) ??
      ajv.compile({ ...closed(recordSchema(definition, names, refTo)), definitions })
    compiled.set(doctype, fits)
    assert.ok(
      fits(record),
      `${doctype}: ${ajv.errorsText(fits.errors)} in ${JSON.stringify(record)}`,
    )
  }
}

/** All records there are, as they are answered one by one and in lists. Returns how many. */
export async function assertAllTyped(context: Context, assertTyped: AssertTyped): Promise<number> {
  let count = 0
  for (const definition of context.services.registry.all) {
    for (let offset = 0; ; offset += PAGE) {
      const query = { filters: [], sort: 'created', order: 'asc', titles: false } as const
      const { data } = await listDocuments(context, definition, { ...query, limit: PAGE, offset })
      for (const listed of data) {
        const { record } = await getDocument(context, definition, String(listed.id))
        assertTyped(definition, record)
        // A list shows some of the fields, and they are the same.
        assert.equal({ ...record, ...listed }, record)
      }
      count += data.length
      if (data.length < PAGE) break
    }
  }
  return count
}

function closed(schema: JsonSchema): JsonSchema {
  return { ...schema, additionalProperties: false }
}

import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import type { OpenApiDocument } from '../../../engine/schema/openapi/openapi.ts'

type Json = Readonly<Record<string, unknown>>

/** An operation with where it stands. */
export interface Operation {
  readonly path: string
  readonly method: string
  readonly operation: Json
}

/** An example with the schema it stands beside, named by its place. */
export interface PlacedExample {
  readonly at: string
  readonly schema: unknown
  readonly value: unknown
}

const METHODS = ['get', 'post', 'put', 'patch', 'delete']

/** All operations of a document. */
export function operationsOf({ paths }: OpenApiDocument): Operation[] {
  return Object.entries(paths).flatMap(([path, item]) =>
    METHODS.filter((method) => method in item).map((method) => ({
      path,
      method,
      operation: item[method] as Json,
    })),
  )
}

/** What a `$ref` of the document points to; throws when it points nowhere. */
export function resolve(document: unknown, ref: string): unknown {
  let value = document
  for (const part of ref.split('/').slice(1)) {
    value = (value as Json | undefined)?.[part.replaceAll('~1', '/').replaceAll('~0', '~')]
  }
  if (value === undefined) throw new Error(`${ref} points nowhere`)
  return value
}

/** Every `$ref` of a document, with repeats. */
export function refsOf(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return []
  if ('$ref' in value && typeof value.$ref === 'string') return [value.$ref]
  return Object.values(value).flatMap(refsOf)
}

/** Every example of a document that stands beside a schema: of bodies, answers and parameters. */
export function examplesOf(
  document: OpenApiDocument,
  value: unknown = document,
  at = '#',
): PlacedExample[] {
  if (typeof value !== 'object' || value === null) return []
  const node = value as Json
  const inside = Object.entries(node).flatMap(([key, child]) =>
    examplesOf(document, child, `${at}/${key}`),
  )
  if (node.schema === undefined) return inside
  const own = 'example' in node ? [{ at, schema: node.schema, value: node.example }] : []
  const named = Object.entries((node.examples as Json | undefined) ?? {}).map(([name, example]) => {
    const { $ref } = example as { $ref?: string }
    const { value: shown } = ($ref ? resolve(document, $ref) : example) as { value: unknown }
    return { at: `${at}/examples/${name}`, schema: node.schema, value: shown }
  })
  return [...inside, ...own, ...named]
}

/** Compiles schemas of a document, whose references lead into it. */
export function schemaCompiler(document: OpenApiDocument): (schema: unknown) => ValidateFunction {
  const ajv = new Ajv2020({ strict: false, allErrors: true })
  addFormats.default(ajv)
  ajv.addSchema({ $id: 'https://example.com/openapi', ...document })
  return (schema) => ajv.compile(absolute(schema) as Json)
}

/** The schema with references that name the document. */
function absolute(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(absolute)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, child]) => [
      key,
      key === '$ref' ? `https://example.com/openapi${child}` : absolute(child),
    ]),
  )
}

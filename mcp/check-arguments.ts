import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv'
import { ArgumentError, type ArgumentProblem } from './request.ts'
import type { ArgumentSchema, Tool, ToolArguments } from './tool.ts'

/** Longest part of a value that a message repeats. */
const MOST_SHOWN = 60

/** Returns arguments that hold to the schema of the tool; throws ArgumentError with all problems. */
export type CheckArguments = (tool: Tool, args: unknown) => ToolArguments

/** Checks arguments by the very schemas that clients are sent; each is compiled when its tool is first called. */
export function argumentChecker(): CheckArguments {
  const ajv = new Ajv({ allErrors: true, verbose: true, ownProperties: true })
  const compiled = new Map<Tool, ValidateFunction>()
  return (tool, args) => {
    const validate = compiled.get(tool) ?? ajv.compile(tool.inputSchema)
    compiled.set(tool, validate)
    if (validate(args)) return args as ToolArguments
    const errors = (validate.errors ?? []).filter(({ schemaPath }) => !isBranch(schemaPath))
    throw new ArgumentError(errors.map((error) => problemOf(tool, error)))
  }
}

/** A branch of an `anyOf` that does not fit; the `anyOf` itself tells what would. */
function isBranch(schemaPath: string): boolean {
  return schemaPath.includes('/anyOf/')
}

function problemOf(tool: Tool, error: ErrorObject): ArgumentProblem {
  const { keyword, params, instancePath, parentSchema, data } = error
  const path = instancePath
    .slice(1)
    .replaceAll('/', '.')
    .replaceAll('~1', '/')
    .replaceAll('~0', '~')
  if (keyword === 'required') {
    const field = String(params.missingProperty)
    return {
      field,
      message: `is required: ${expectation(tool.inputSchema.properties[field] ?? {})}`,
      code: 'required',
    }
  }
  if (keyword === 'additionalProperties') {
    const known = Object.keys(tool.inputSchema.properties)
    return {
      field: shorten(String(params.additionalProperty)),
      message: `${tool.name} has no such argument; it takes ${known.join(', ') || 'none'}`,
      code: 'unknown_field',
    }
  }
  const message = `${expectation((parentSchema ?? {}) as ArgumentSchema)}, got ${described(data)}`
  return { field: shorten(path || 'arguments'), message, code: 'wrong_type' }
}

function expectation(schema: ArgumentSchema): string {
  const { description } = schema
  return `expected ${kindOf(schema)}${description === undefined ? '' : ` (${description})`}`
}

const KINDS: Readonly<Record<string, string>> = {
  string: 'a text',
  integer: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
  object: 'an object',
  array: 'a list',
  null: 'null',
}

function kindOf({ type, anyOf, minLength, items, pattern }: ArgumentSchema): string {
  if (anyOf) return [...new Set(anyOf.map(kindOf))].join(' or ')
  if (items) return `a list of ${items.type === 'string' ? 'texts' : 'values'}`
  if (pattern !== undefined) return 'a field and asc or desc'
  return `${KINDS[type ?? ''] ?? 'a value'}${minLength === 1 ? ' that is not empty' : ''}`
}

function described(value: unknown): string {
  if (Array.isArray(value)) return value.length === 0 ? 'an empty list' : 'a list'
  if (typeof value === 'object' && value !== null) return 'an object'
  return shorten(JSON.stringify(value) ?? 'nothing')
}

function shorten(text: string): string {
  const whole = text.toWellFormed()
  return whole.length > MOST_SHOWN ? `${whole.slice(0, MOST_SHOWN).toWellFormed()}…` : whole
}

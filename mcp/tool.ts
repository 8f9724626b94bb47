import type { ApiRequest } from './request.ts'

/** JSON Schema of one argument. */
export interface ArgumentSchema {
  readonly type?: 'string' | 'integer' | 'object' | 'array' | 'number' | 'boolean' | 'null'
  readonly description?: string
  readonly minLength?: number
  readonly pattern?: string
  readonly anyOf?: readonly ArgumentSchema[]
  readonly items?: ArgumentSchema
  readonly additionalProperties?: boolean | ArgumentSchema
}

/** JSON Schema of all arguments of a tool. */
export interface ArgumentsSchema {
  readonly type: 'object'
  readonly properties: Readonly<Record<string, ArgumentSchema>>
  readonly required?: readonly string[]
  readonly additionalProperties: false
}

/** Arguments that hold to a tool's schema. */
export interface ToolArguments {
  readonly resource: string
  readonly id: string
  readonly slug: string
  readonly data: Readonly<Record<string, unknown>>
  readonly seats?: number
  readonly filter?: Readonly<Record<string, FilterValue | readonly FilterValue[]>>
  readonly order_by?: string
  readonly fields?: string | readonly string[]
  readonly [other: string]: unknown
}

export type FilterValue = string | number | boolean | null

/** One tool: what clients are told of it, and the request a call becomes. */
export interface Tool {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly inputSchema: ArgumentsSchema
  /**
   * Hints for the client that asks people before a call. `idempotentHint`: a second call with the same
   * arguments changes nothing more (it may well be answered with an error). `openWorldHint`: it reaches
   * somebody outside of the workspace.
   */
  readonly annotations: {
    readonly readOnlyHint: boolean
    readonly destructiveHint: boolean
    readonly idempotentHint: boolean
    readonly openWorldHint: boolean
  }
  /** Throws ArgumentError for arguments that hold to the schema and still cannot become a request. */
  readonly request: (args: ToolArguments) => ApiRequest
}

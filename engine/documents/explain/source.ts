import type { DocTypeDefinition } from '../../definition/model/definition.ts'
import type { How } from './explanation.ts'
import type { Input } from './inputs.ts'
import type { Listing } from './listing.ts'

/** Source of a value, before what went in is shown. */
export interface Source {
  readonly how: How
  /** What says so in the YAML: path and text. */
  readonly said?: {
    readonly definition: DocTypeDefinition
    readonly path: readonly (string | number)[]
    readonly text: string
  }
  /** Moment at which the value was taken. */
  readonly at?: string | undefined
  readonly inputs: readonly Input[]
  readonly listing?: Listing | undefined
}

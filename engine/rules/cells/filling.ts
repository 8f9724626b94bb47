import type { Detail } from '../../base/errors.ts'
import type { Registry } from '../../definition/model/registry.ts'
import type { Environment } from '../../expression/tree/types.ts'
import type { Doc, Row } from '../../storage/database/document.ts'
import type { GraphNode } from '../base/graph.ts'
import type { RuleReads } from '../base/reads.ts'

/** State of filling the cells of one document. */
export interface Filling {
  readonly registry: Registry
  readonly reads: RuleReads
  readonly doc: Doc
  readonly before: Doc | undefined
  /** The document itself, as what its own fields are filled into. */
  readonly own: FillTarget
  /** Rows of the tables that were gone through, made once for all columns. */
  readonly rows: Map<string, readonly FillTarget[]>
  /** Fields of the document for which nothing is proposed: null was sent for them. */
  readonly empty: ReadonlySet<string> | undefined
  /** Cells that could not be computed, as details of a 422. */
  readonly failures: Detail[]
  /** Paths of cells that wait for what is missing, or for another such cell. */
  readonly unknown: Set<string>
  /** How often rules had asked for what was missing when it began (`RuleReads.asked`). */
  readonly began: number
}

/** Whether something was asked for that is missing: values may be half known then. */
export function isMissing({ reads, began }: Filling): boolean {
  return reads.asked() > began
}

/** Whether a cell reads one that is not known yet: what it would ask for would have to be asked for again. */
export function isHalfKnown({ unknown }: Filling, { reads }: GraphNode): boolean {
  return unknown.size > 0 && reads.some((path) => unknown.has(path))
}

/** Target that values are filled into: the document, or one of its rows. */
export interface FillTarget {
  readonly values: Doc | Row
  readonly isNew: boolean
  readonly environment: Environment
  /** Place of the row, from 0. */
  readonly index: number
}

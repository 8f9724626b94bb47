import type { DocTypeDefinition } from '../../definition/model/definition.ts'
import type { Registry } from '../../definition/model/registry.ts'
import type { Environment } from '../../expression/tree/types.ts'
import type { Field } from '../../fields/field.ts'
import type { ComputedCell } from '../../rules/cells/computed-cell.ts'
import type { StatusRule } from '../../rules/cells/status.ts'
import type { Doc } from '../../storage/database/document.ts'
import type { Context, DocTypeParts, Services } from '../work/context.ts'
import { createReads, type Reads } from '../work/reads.ts'
import type { Cell } from './cell.ts'
import type { ExplainQuery } from './explanation.ts'
import { createHistory, type History } from './history.ts'

/** Everything that one request to explain works with. */
export interface Scene {
  readonly context: Context
  readonly registry: Registry
  readonly parts: DocTypeParts
  readonly doc: Doc
  readonly query: ExplainQuery
  readonly reads: Reads
  readonly history: History
  /** Explanations of inputs that may still be made: a tree of five levels could have millions. */
  left: number
  /** Places of the internal cells that are being looked through. */
  readonly looking: Set<string>
}

/** Explanations of one answer, beside the one that was asked for. */
const MOST_EXPLAINED = 200

/** The scene of a record whose rows are loaded, and that the caller may read. */
export function createScene(
  context: Context,
  parts: DocTypeParts,
  doc: Doc,
  query: ExplainQuery,
): Scene {
  const { services } = context
  return {
    context,
    registry: services.registry,
    parts,
    doc,
    query,
    // Nothing is locked: what has changed since is told by its values.
    reads: createReads(services.database.read, services, new Map()),
    history: createHistory(services, parts, doc),
    left: MOST_EXPLAINED,
    looking: new Set(),
  }
}

/** The sources that a DocType declares for a field, or for a column of a table: all but rollups and statuses. */
export function computedCell(
  { program }: Pick<Services, 'program'>,
  definition: DocTypeDefinition,
  path: string,
): ComputedCell | undefined {
  const { cells } = program.partsOf(definition).rules()
  return cells.find((cell): cell is ComputedCell => 'field' in cell && cell.path === path)
}

/** The rule of the status that a field of the record holds. */
export function statusOf({ context, parts }: Scene, field: Field): StatusRule | undefined {
  const { cells } = context.services.program.partsOf(parts.definition).rules()
  return cells.find((cell): cell is StatusRule => 'states' in cell && cell.path === field.name)
}

/** Environment of a cell's expressions at a moment (ISO). */
export function environmentAt({ context, doc }: Scene, cell: Cell, now: string): Environment {
  const { name, user } = context.actor
  const records = {
    user: { email: user?.email ?? name, name },
    ...(cell.row ? { parent: doc } : {}),
  }
  return { now, today: now.slice(0, 10), records }
}

/** What `compute` gives once all that it reads of other records has been read. */
export async function settledWith<T>({ reads }: Scene, compute: () => T): Promise<T> {
  for (;;) {
    const value = compute()
    if (!(await reads.fill())) return value
  }
}

import type { ColumnShape, IndexShape, TableShape } from '../records/shape.ts'

/** Safety of a step: `destructive` ones may lose values and wait for `svc migrate --allow-drop`. */
export type Safety = 'safe' | 'destructive'

/** Phase of a step; `after`: PostgreSQL builds an index of a table with rows after the transaction, beside traffic. */
export type Phase = 'transaction' | 'after'

/** Representation of a column's values: the type and the decimal places of its scaled integers. */
export interface Representation {
  readonly type: ColumnShape['type']
  readonly scale: number
}

/** Condition on the rows before a step; names are those of before the migration. */
export type RowCheck = { readonly table: string } & (
  | {
      readonly kind: 'duplicates'
      readonly columns: readonly string[]
      readonly whereNotNull?: string
      /** SQL of the rows that count. */
      readonly where?: string
    }
  | { readonly kind: 'not-numbers'; readonly column: string; readonly scale: number }
  | { readonly kind: 'too-large'; readonly column: string; readonly digits: number }
  | { readonly kind: 'lost-digits'; readonly column: string; readonly digits: number }
  | { readonly kind: 'unset'; readonly column: string }
)

/** The change of a step, as data: what `migration-sql.ts` turns into statements. */
export type StepAction =
  | { readonly kind: 'create-table'; readonly shape: TableShape }
  | { readonly kind: 'rename-table'; readonly from: string }
  | { readonly kind: 'drop-table' }
  | { readonly kind: 'add-column'; readonly column: ColumnShape }
  | { readonly kind: 'rename-column'; readonly from: string; readonly to: string }
  | {
      readonly kind: 'retire-column'
      readonly column: string
      readonly to: string
      readonly type: ColumnShape['type'] | undefined
      readonly notNull: boolean
    }
  | { readonly kind: 'drop-column'; readonly column: string }
  | {
      readonly kind: 'convert-column'
      readonly column: ColumnShape
      readonly from: Representation
      readonly wasNotNull: boolean
    }
  | {
      readonly kind: 'create-index'
      readonly index: IndexShape
      /** Columns that may be unset: they sort first on both databases. */
      readonly nullable: readonly string[]
    }
  | { readonly kind: 'drop-index'; readonly index: string }

/** One step of a migration; `table` is its name after a rename, `sentence` says the step to a person. */
export type MigrationStep = StepAction & {
  readonly table: string
  readonly sentence: string
  readonly safety: Safety
  readonly phase: Phase
  readonly checks: readonly RowCheck[]
}

/** A step that cannot be done as things are: why, and what the operator can do. */
export interface Refusal {
  readonly table: string
  readonly sentence: string
  readonly reason: string
  readonly remedy: string
}

export interface MigrationPlan {
  /** Steps in the order to run them. */
  readonly steps: readonly MigrationStep[]
  /** Steps that cannot be done; nothing is run while there is one. */
  readonly refused: readonly Refusal[]
  /** What `--retire` would set aside and `--allow-drop` remove, because nothing uses it any more; leaving it is fine. */
  readonly waiting: readonly MigrationStep[]
  /** Columns that stay without a field, by the name of their table after the migration. */
  readonly gone: ReadonlyMap<string, readonly ColumnShape[]>
  /** Columns whose field is back, as `table.column`: what they hold may be as old as its going. */
  readonly returned: readonly string[]
  /** Sentences for a person, e.g. about a `renamed_from` that may have been forgotten. */
  readonly hints: readonly string[]
}

/** Shape of a table at the last migration. */
export interface StoredShape extends TableShape {
  /** Columns that no field used any more, set aside or not; their values are kept. */
  readonly gone?: readonly ColumnShape[]
}

/** Column of a table at the last migration, whether a field used it or not. */
export function knownColumn(
  stored: StoredShape | undefined,
  name: string,
): ColumnShape | undefined {
  const isIt = (column: ColumnShape): boolean => column.name === name
  return stored?.columns.find(isIt) ?? stored?.gone?.find(isIt)
}

/** The shapes of the last migration, by table. */
export type StoredShapes = ReadonlyMap<string, StoredShape>

/** The remedy of every step that may lose values. */
export const ALLOW_DROP = 'back up first, then run `svc migrate --allow-drop`'

/** A step that is safe and runs in the transaction, unless `facts` say otherwise. */
export function step(
  table: string,
  sentence: string,
  action: StepAction,
  facts: { safety?: Safety; phase?: Phase; checks?: readonly RowCheck[] } = {},
): MigrationStep {
  return { table, sentence, safety: 'safe', phase: 'transaction', checks: [], ...facts, ...action }
}

import type { DocTypeDefinition } from '../../definition/model/definition.ts'
import type { ValueType } from '../../expression/tree/types.ts'
import type { Field } from '../../fields/field.ts'
import type { StepRule } from '../base/compiled-rule.ts'
import type { EachPlan } from './search-plan.ts'

/** Field of the target ← expression. */
export interface Assignment {
  readonly field: Field
  readonly type: ValueType
  readonly rule: StepRule
}

/** Rows made for each of something, or once. */
export interface RowsPlan {
  readonly each: EachPlan | undefined
  readonly if: StepRule | undefined
  readonly group: readonly string[] | undefined
  readonly set: readonly Assignment[]
}

export interface PostPlan {
  readonly kind: 'post'
  readonly if: StepRule | undefined
  readonly ledger: DocTypeDefinition
  readonly rows: readonly RowsPlan[]
  readonly date: StepRule | undefined
  readonly rounding: { readonly max: number; readonly set: readonly Assignment[] } | undefined
  /** Whether its rows wait for the next posting to the ledger. */
  readonly together: boolean
  /** Postings whose rows come before its own, and are posted where its own condition leaves its rows out. */
  readonly before: readonly PostPlan[]
}

export interface DuplicatePlan {
  readonly kind: 'duplicate'
  readonly if: StepRule | undefined
  /** Link or dynamic link of the document to the record that another is made of. */
  readonly link: Field
  /** How many days later its dates are. */
  readonly days: StepRule | undefined
  readonly as: string | undefined
}

/** Rows that a record of another DocType is given, by its tables. */
export type TablesPlan = readonly { readonly field: Field; readonly rows: readonly RowsPlan[] }[]

export interface CreatePlan {
  readonly kind: 'create'
  readonly if: StepRule | undefined
  readonly each: EachPlan | undefined
  readonly doctype: DocTypeDefinition
  readonly as: string | undefined
  readonly set: readonly Assignment[]
  readonly tables: TablesPlan
  readonly submit: boolean
}

/** Name of the record of an `update` in the expressions of its `set`: the record as it is once it is locked. */
export const UPDATED = 'record'

export interface UpdatePlan {
  readonly kind: 'update'
  readonly if: StepRule | undefined
  readonly each: EachPlan | undefined
  readonly doctype: DocTypeDefinition
  readonly record: StepRule
  readonly set: readonly Assignment[]
  /** Rows added to those there are. */
  readonly tables: TablesPlan
  readonly submit: boolean
  readonly repeat: boolean
}

export interface FillPlan {
  readonly kind: 'fill'
  readonly if: StepRule | undefined
  readonly each: EachPlan
  readonly table: Field
  readonly set: readonly Assignment[]
  /** Whether the rows there are stay. */
  readonly keep: boolean
}

/** Changes the rows of a table that `each` goes through, which are its own. */
export interface ChangePlan {
  readonly kind: 'change'
  readonly if: StepRule | undefined
  readonly each: EachPlan
  readonly table: Field
  readonly set: readonly Assignment[]
}

export interface SetPlan {
  readonly kind: 'set'
  readonly if: StepRule | undefined
  readonly set: readonly Assignment[]
}

export interface NumberPlan {
  readonly kind: 'number'
  readonly if: StepRule | undefined
  /** Text field of the document that gets the number. */
  readonly field: Field
  readonly pattern: StepRule | undefined
}

export interface SubmitPlan {
  readonly kind: 'submit'
  readonly if: StepRule | undefined
  readonly name: string
}

export type StepPlan =
  | PostPlan
  | CreatePlan
  | DuplicatePlan
  | UpdatePlan
  | FillPlan
  | ChangePlan
  | SetPlan
  | NumberPlan
  | SubmitPlan

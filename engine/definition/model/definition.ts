/**
 * Definition of a DocType, once its YAML has been read: plain frozen data (it survives JSON), from which tables, API,
 * catalogue, OpenAPI, types, tools and screens are derived. Expressions are kept as their source text;
 * `engine/expression` compiles them.
 */

import type { Field, FieldRights, Find } from '../../fields/field.ts'
import type { Dimension } from './dimension.ts'
import type { InvariantDeclaration, LedgerDeclaration } from './ledger.ts'
import type { PrintDeclaration } from './print.ts'

/** Field that records are named by in place of a series, where a check of theirs is on. */
export interface NamedInstead {
  readonly field: string
  readonly when: string
}

/** Way a record gets its `name` (rules.md §4.1, catalog). */
export type Naming =
  | {
      readonly kind: 'series'
      readonly pattern: string
      readonly instead?: NamedInstead
      /** Field whose value, where there is one, is the pattern. */
      readonly patternField?: string
    }
  | { readonly kind: 'format'; readonly pattern: string }
  | { readonly kind: 'field'; readonly field: string }
  | { readonly kind: 'prompt' }
  | { readonly kind: 'autoincrement' }
  | { readonly kind: 'uuid' }

/** Service of a DocType's records to the workspace itself (`serves:`); `services.ts` says what each needs. */
export type Service =
  | 'users'
  | 'roles'
  | 'user_permissions'
  | 'workflows'
  | 'contact_messages'
  | 'companies'
  | 'comments'
  | 'todos'
  | 'mails'
  | 'mail_templates'
  | 'files'
  | 'bank_statements'
  | 'bank_lines'

export interface DocTypeDefinition {
  readonly doctype: string
  readonly slug: string
  readonly aliases: readonly string[]
  readonly table: string
  readonly label: string
  readonly labelPlural: string
  readonly description?: string
  readonly module: string
  readonly tier: string
  readonly submittable: boolean
  /** A child DocType (`child: true`) has no table, slug or endpoint of its own; tables name it by `options:`. */
  readonly isChild: boolean
  readonly naming: Naming
  /** Field whose value is the record's name (`item_code`), else `name`. */
  readonly idField: string
  readonly titleField: string
  readonly searchFields: readonly string[]
  readonly listFields: readonly string[]
  readonly icon?: string
  /** Service of its records to the workspace itself. */
  readonly serves?: Service
  /** Link that says what a record belongs to: only records of the same may name it (bond.ts). */
  readonly belongsTo?: string
  /** Names that it is found under by those who want all DocTypes of a kind (`declaring`). */
  readonly declares?: readonly string[]
  /** Dimension of the books that its records are. */
  readonly dimension?: Dimension
  /** Link to the record above, where its records form a tree. */
  readonly tree?: string
  /** Condition on the records that `default_from` may propose. */
  readonly proposed?: string
  readonly fields: readonly Field[]
  /** Records that expressions look into by a name. */
  readonly finds?: readonly Find[]
  /** Behaviour of part 2, as written; validated by its shape here and compiled by `engine/rules`. */
  readonly behaviour: Behaviour
  /** Checksum of all that it says, whatever its files look like: a comment in one of them changes nothing. */
  readonly checksum: string
  /** Checksum of the YAML texts alone: whether its files are still those that were loaded. */
  readonly filesChecksum: string
  /** The YAML files it came from, first the base, then what extends it. */
  readonly files: readonly string[]
}

/** Keys of rules.md §4.1 as written; `engine/rules` compiles them. */
export interface Behaviour {
  readonly unique?: readonly UniqueDeclaration[]
  readonly status?: StatusDeclaration
  readonly validate?: readonly ValidationDeclaration[]
  readonly effects?: { readonly submit?: readonly EffectStep[] }
  readonly actions?: Readonly<Record<string, ActionDeclaration>>
  readonly events?: Readonly<Record<string, EventDeclaration>>
  readonly permissions?: PermissionsDeclaration
  readonly invariants?: readonly InvariantDeclaration[]
  readonly ledger?: LedgerDeclaration
  readonly views?: ViewsDeclaration
  readonly upsertFrom?: string
  /** DocTypes whose rows make a record too, beside the ledger of `upsertFrom`. */
  readonly madeBy?: readonly string[]
  readonly brings?: BringsDeclaration
  readonly print?: PrintDeclaration
}

/**
 * Ways to look at the list of a DocType besides its table.
 *
 *     views:
 *       board: {by: status, card: [customer, due_on], sum: amount}
 *       calendar: {start: starts_on, end: ends_on, title: subject}
 */
export interface ViewsDeclaration {
  /** A column for each value of `by`: what its cards show, and what is added up above them. */
  readonly board?: { readonly by: string; readonly card?: readonly string[]; readonly sum?: string }
  /** Where a record stands in time; without `end` on the day of `start` alone. */
  readonly calendar?: { readonly start: string; readonly end?: string; readonly title?: string }
}

/** Records that a new record brings along: sets of them, files below `setup/`. */
export interface BringsDeclaration {
  readonly if?: string
  readonly sets: readonly {
    /** Folder of the sets. */
    readonly from: string
    /** Field that names the set; without it all sets of the folder. */
    readonly named?: string
    /** Whether the set may be missing. */
    readonly optional?: boolean
  }[]
  /** Field of the records that gets the name of the one that brings them, where they have it. */
  readonly owner?: string
  /** Text put behind the names of the records. */
  readonly suffix?: string
}

/**
 * Fields of which no two records have the same values together, among those that meet `where`: comparisons of
 * stored fields with literals. A record in which one of them is unset is like no other.
 */
export interface UniqueDeclaration {
  readonly fields: readonly string[]
  readonly where?: string
  /** Message to the caller, about the first field. */
  readonly message?: string
}

/**
 * Who may: `roles`: role → its rights; `rows`: role → condition on its records; `fields`: field, or table.column → the
 * roles that alone read and set it; `follows`: the link to the record it belongs to.
 *
 *     permissions:
 *       roles: {Sales Manager: [all], All: [read, create]}
 *       rows: {All: owner == user.name}
 *       fields: {salary: {read: [HR Manager], write: [HR Manager]}}
 */
export interface PermissionsDeclaration {
  readonly roles?: Readonly<Record<string, readonly string[]>>
  readonly rows?: Readonly<Record<string, string | RowLimits>>
  readonly fields?: Readonly<Record<string, FieldRights>>
  readonly follows?: string
  /** Link to a person → states in which a record goes to who takes over from somebody who leaves. */
  readonly hand_over?: Readonly<Record<string, readonly string[]>>
}

/** Conditions apart for reading and for everything else; without one there is no limit. */
export interface RowLimits {
  readonly read?: string
  readonly write?: string
}

/** Field → expression of its value. */
export type SetDeclaration = Readonly<Record<string, string>>

/**
 * Loop source of a step: rows of a table of the document, or records found by a query.
 *
 *     each: items
 *     each: {table: items, as: i, if: i.qty > 0}
 *     each: {from: Tool Kit, where: owner == this.owner, order: -created, limit: 10}
 */
export type EachDeclaration = EachRow | EachSearch

export interface EachRow {
  readonly table: string
  readonly as?: string
  readonly if?: string
}

/** Records, or rows of a table of theirs, that meet a condition; with `group` or a sum one for each group. */
export interface EachSearch {
  /** DocType, or Doctype.table. */
  readonly from: string
  /** In the `each` of a step, instead of it every DocType that declares this (`each-declared.ts`). */
  readonly declaring?: string
  readonly as?: string
  /** A condition, or several that must all hold. */
  readonly where?: string | readonly string[]
  /** Fields, the first one first; `-` before one turns it round. */
  readonly order?: string | readonly string[]
  /** Most records, rows or groups that are taken. */
  readonly limit?: number
  /** Fields that a group agrees in, or name → expression. */
  readonly group?: readonly string[] | SetDeclaration
  readonly sum?: SetDeclaration
  readonly min?: SetDeclaration
  readonly max?: SetDeclaration
  readonly if?: string
}

/** Source of the rows of a posting or of a new document; a text is the table whose rows are gone through. */
export interface RowSource {
  readonly each?: string | EachDeclaration
  readonly as?: string
  readonly if?: string
}

export interface PostedRows extends RowSource {
  readonly group?: readonly string[]
  readonly set: SetDeclaration
}

export interface CreatedRows extends RowSource {
  readonly set: SetDeclaration
}

/** Posts rows to a ledger; they must balance, a difference of at most `rounding.max` goes to one row more. */
export interface PostStep {
  readonly post: string
  readonly if?: string
  /** Whether its rows stand before those of the next posting to the ledger. */
  readonly together?: boolean
  readonly rows: readonly PostedRows[]
  readonly date?: string
  readonly rounding?: { readonly max: number; readonly set: SetDeclaration }
}

/** Creates a record, or one for `each`, and submits it where `submit` says so; `as` names it for later steps. */
export interface CreateStep {
  readonly create: string
  readonly each?: string | EachDeclaration
  readonly as?: string
  readonly if?: string
  readonly set?: SetDeclaration
  readonly rows?: Readonly<Record<string, CreatedRows | readonly CreatedRows[]>>
  readonly submit?: boolean
}

/** Makes a draft like the record that a link of the document names, its dates `days` later; `as` names it for `submit`. */
export interface DuplicateStep {
  readonly duplicate: string
  readonly days?: string
  readonly as?: string
  readonly if?: string
}

/** Sets fields of the document itself. */
export interface SetStep {
  readonly set: SetDeclaration
  readonly if?: string
}

/** Gives a text field of the document the next number of a series, whose pattern is computed; it stays for ever. */
export interface NumberStep {
  readonly number: string
  readonly pattern: string
  readonly if?: string
}

/** Sets fields of another record, or one for `each`; `submit` submits it. An empty `record` leaves the step out. */
export interface UpdateStep {
  readonly update: string
  readonly record: string
  readonly each?: string | EachDeclaration
  readonly set?: SetDeclaration
  /** Rows added to its tables, in actions. */
  readonly rows?: Readonly<Record<string, CreatedRows | readonly CreatedRows[]>>
  readonly submit?: boolean
  /** Whether it is done again until nothing that is found has to be changed. */
  readonly repeat?: boolean
  readonly if?: string
}

/** Replaces the rows of a table of the document by one for `each`; `keep` adds them to those there are. */
export interface FillStep {
  readonly fill: string
  readonly each: string | EachDeclaration
  readonly set: SetDeclaration
  readonly keep?: boolean
  readonly if?: string
}

/** Changes rows of a table of the document, those that `each` goes through. */
export type ChangeStep = Omit<FillStep, 'fill' | 'keep'> & { readonly change: string }

/** Submits a record that an earlier step created. */
export interface SubmitStep {
  readonly submit: string
  readonly if?: string
}

export type EffectStep = PostStep | CreateStep | UpdateStep | SetStep | NumberStep
export type ActionStep = EffectStep | DuplicateStep | FillStep | ChangeStep | SubmitStep

/** Declaration of an action, `POST /v1/<resource>/<id>/actions/<name>`. */
export interface ActionDeclaration {
  readonly label?: string
  readonly description?: string
  readonly when?: string
  /** What a caller is told where `when` does not hold; {…} is an expression. */
  readonly message?: string
  /** Period at which the server runs it for each record that `when` holds for. */
  readonly every?: 'hour' | 'day'
  readonly roles?: readonly string[]
  readonly system?: boolean
  readonly moves?: string
  /** Fields the caller sends, normalised as those of a DocType. */
  readonly input?: readonly Field[]
  /** Table of which it may be done for a part: `input.rows` says which rows, and how much of each. */
  readonly parts?: string
  readonly steps?: readonly ActionStep[]
}

/** An event beside those every resource has, or what one of those guarantees and sets (rules.md §4.4). */
export interface EventDeclaration {
  readonly description?: string
  readonly trigger?: 'create' | 'update' | 'submit' | 'cancel' | 'delete' | 'change'
  readonly field?: string
  readonly when?: string
  readonly set?: SetDeclaration
  readonly data?: readonly string[] | SetDeclaration
}

export interface StatusDeclaration {
  readonly field: string
  readonly initial?: string
  /** State that a cancel moves a chosen status to. */
  readonly cancelled?: string
  readonly derive?: Readonly<Record<string, string>>
  /** State → the states it may change to. */
  readonly flow?: Readonly<Record<string, readonly string[]>>
  /** State → state it may change to → roles that may move it there; an arrow without is for who may update. */
  readonly movers?: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>
  /** State → condition: a chosen status moves there by itself when it turns true. */
  readonly moves?: Readonly<Record<string, string>>
  readonly tick?: Readonly<Record<string, string>>
}

/** A condition that must be true, or rows that must differ from each other. */
export interface ValidationDeclaration {
  readonly check?: string
  /** Columns of `each` in which no two rows may agree. */
  readonly unique?: readonly string[]
  /** Field the message is about; a column where `each` names a table. */
  readonly field: string
  /** Message when the condition is false, with expressions between braces. */
  readonly message: string
  /** Own table each of whose rows is checked by itself. */
  readonly each?: string
  readonly during?: readonly ('create' | 'submit' | 'cancel')[]
  /** Refuses nothing: previews tell it as a warning. */
  readonly warn?: true
}

import type { Actor } from '../../access/actor.ts'
import type { Addon } from '../../access/addons.ts'
import type { Rights } from '../../access/can.ts'
import type { KnownRegistry } from '../../access/known-registry.ts'
import type { Plans } from '../../access/plans.ts'
import type { GrantsOf, Roles } from '../../access/roles.ts'
import type { Clock } from '../../base/clock.ts'
import type { Colors } from '../../definition/load/load-colors.ts'
import type { WrittenPlaces } from '../../definition/load/written-places.ts'
import type { Bond } from '../../definition/model/bond.ts'
import type { DocTypeDefinition } from '../../definition/model/definition.ts'
import type { Registry } from '../../definition/model/registry.ts'
import type { EventLog, LoggedEvent } from '../../events/log.ts'
import type { Behaviour } from '../../rules/program/behaviour.ts'
import type { Program } from '../../rules/program/program.ts'
import type { Rollups } from '../../rules/rollups/rollup.ts'
import type { Dialect } from '../../schema/dialect/dialect.ts'
import type { Validator } from '../../schema/shapes/validator.ts'
import type { Database, DatabaseKind, Db } from '../../storage/database/database.ts'
import type { ComputedSince } from '../../storage/migration/computed-columns.ts'
import type { Unfilled } from '../../storage/migration/unfilled.ts'
import type { Cursors } from '../../storage/records/cursor.ts'
import type { RecordStore } from '../../storage/records/record-store.ts'
import type { SearchIndex } from '../../storage/records/search.ts'
import type { SeriesStore } from '../../storage/records/series.ts'
import type { DocTable } from '../../storage/records/tables.ts'
import type { DocumentResult, Presenter } from './present.ts'

/** A field that names a record, or a row of one. */
export interface LinkField {
  readonly name: string
  readonly link: string | undefined
  readonly linkFrom: string | undefined
  readonly linkTable: string | undefined
  /** The record belongs to what it names here (`permissions.follows`). */
  readonly isFollowed: boolean
  /** True where a submitted document may name a draft. */
  readonly isOfDrafts: boolean
  /** Everybody may write the DocType, and its records say themselves what kind of record they name here. */
  readonly isOpen: boolean
}

/** Fields of a DocType that name other records, its own and those of its tables' rows. */
export interface LinkFields {
  readonly own: readonly LinkField[]
  readonly tables: readonly { readonly table: string; readonly fields: readonly LinkField[] }[]
}

/** A link that may never lead back to the record it begins at (`acyclic`), of the record or of a table. */
export interface AcyclicLink {
  readonly field: string
  /** Table that has it as a column. */
  readonly table: string | undefined
}

/** A link whose records must belong to what the document belongs to (`belongs_to`), of the record or of a table. */
export interface BondedLink {
  readonly field: string
  /** Table that has it as a column. */
  readonly table: string | undefined
  readonly bond: Bond
}

/** Parts of a DocType for one way to know it: what reads its bodies, shows its records and names its columns. */
export interface KnownParts {
  readonly definition: DocTypeDefinition
  readonly plan: DocTable
  readonly validator: Validator
  readonly presenter: Presenter
}

/** Parts that the engine keeps for one DocType, made at its first use. */
export interface DocTypeParts extends KnownParts {
  readonly store: RecordStore
  readonly behaviour: Behaviour
  readonly links: LinkFields
  readonly acyclicLinks: readonly AcyclicLink[]
  readonly bonds: readonly BondedLink[]
  /** Reads the input of an action (its fields as those of a DocType). */
  inputValidator(action: string): Validator
  /** The parts for who knows the DocType so (`knownTo`); the door asks. */
  as(known: DocTypeDefinition): KnownParts
}

/**
 * A listener inside the transaction of a change, handed in from above (house decision 6): what it writes
 * commits with the change. It gets all lines of the operation at once, as the log keeps them, and awaits
 * nothing but `tx`. The job it is part of may run again, so it has no effects outside `tx`.
 */
export type EventSink = (tx: Db, events: readonly LoggedEvent[], scene: EventScene) => Promise<void>

/** Line of the log before the log adds who, when and its id. */
export type EventLine = Pick<LoggedEvent, 'resource' | 'kind' | 'record_id' | 'data'>

/** Parts of the workspace that a sink may need beside the lines. */
export interface EventScene {
  readonly registry: Registry
  readonly plans: Plans
  readonly kind: DatabaseKind
  readonly services: Services
  /** Who made the change, and from where. */
  readonly actor: Actor
  /** Adds what followed to the log: further lines of the same actor and moment, which all sinks get. */
  readonly log: (lines: readonly EventLine[]) => Promise<void>
}

/** Services that the operations stand on: one set per loaded registry, shared by all requests. */
export interface Services {
  readonly registry: Registry
  /** The program as `svc --version` says it. */
  readonly version: () => string
  /** Folders of the DocTypes and of what lies beside them; later ones win. */
  readonly folders: readonly string[]
  /** Places in their files. */
  readonly places: WrittenPlaces
  readonly program: Program
  readonly database: Database
  readonly clock: Clock
  readonly plans: Plans
  readonly addons: readonly Addon[]
  /** How clients of another system speak of the DocTypes, for surface A; read when it is first asked for. */
  readonly dialect: () => Dialect
  readonly roles: Roles
  /** Colours of the values of selects. */
  readonly colors: Colors
  readonly grants: GrantsOf
  /** The DocTypes as the caller knows them, for what describes them. */
  readonly knownRegistry: KnownRegistry
  readonly search: SearchIndex
  readonly series: SeriesStore
  readonly events: EventLog
  readonly rollups: Rollups
  readonly cursors: Cursors
  readonly sinks: readonly EventSink[]
  /** Wakes who delivers events; to be called after the commit of anything that logged some. */
  readonly eventsCommitted: () => void
  /** Moments at which columns began to be computed as they are: a submitted document from before stays as it was made. */
  readonly computedSince: ComputedSince
  /** Number of the definitions among all that the workspace was ever brought to. */
  readonly generation: number
  /** Columns that wait for their values. */
  readonly unfilled: Unfilled
  /** Encrypts a text with the workspace's secret key; `purpose` says what it is (engine/base/seal.ts). */
  seal(purpose: string, text: string): string
  /** The parts of a DocType, whole, whoever's view of it is asked with. */
  partsOf(definition: DocTypeDefinition): DocTypeParts
}

/** Runs in the transaction of the change with its result, e.g. to keep the idempotent answer; null after a delete. */
export type BeforeCommit = (tx: Db, result: DocumentResult | null) => Promise<void>

/** One call of an operation: who asks, and on what. */
export interface Context extends Rights {
  readonly services: Services
  readonly beforeCommit?: BeforeCommit
  /** Whether a change is only tried: its result says what it would do (`preview`), and it is taken back. */
  readonly isRehearsal?: true
  /** ETags of `If-Match`; the change is refused when the record has another. */
  readonly ifMatch?: readonly string[]
  /** Whether it is part of long work: its writes are nobody's, and wait in the turns of the workspace itself. */
  readonly isLongWork?: true
  /** Whether it is a trial that is taken back: what a record still lacks, or breaks, is no matter then. */
  readonly isTrial?: true
}

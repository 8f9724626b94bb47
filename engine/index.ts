import type { Actor } from './access/actor.ts'
import { knownRegistries } from './access/known-registry.ts'
import { loadAddons } from './access/load-addons.ts'
import { loadPlans } from './access/load-plans.ts'
import { loadRoles } from './access/load-roles.ts'
import { createGrants } from './access/roles.ts'
import { type Clock, systemClock } from './base/clock.ts'
import { once } from './base/once.ts'
import { seal } from './base/seal.ts'
import type { LoadedDefinitions } from './definition/load/load.ts'
import type { CachedDefinitions, DefinitionSources } from './definition/load/load-cached.ts'
import { loadCached } from './definition/load/load-cached.ts'
import { loadColors } from './definition/load/load-colors.ts'
import { createWrittenPlaces } from './definition/load/written-places.ts'
import type { Registry } from './definition/model/registry.ts'
import { DefinitionErrors } from './definition/yaml/problems.ts'
import type { SourceFile } from './definition/yaml/source.ts'
import { fillPlanOf } from './documents/start/fill-tasks.ts'
import { type FillState, lookAtFilling } from './documents/start/filling.ts'
import { partsMaker } from './documents/start/parts-maker.ts'
import { setOverride } from './documents/start/tier-change.ts'
import { keepWorkflows } from './documents/start/workflows.ts'
import type { Context, EventSink, Services } from './documents/work/context.ts'
import { eventLog } from './events/log.ts'
import type { Parse } from './expression/syntax/parse.ts'
import {
  checkReportTexts,
  openReports,
  type Reports,
  reportOfFile,
} from './reports/compile/load.ts'
import type { Report } from './reports/declare/report.ts'
import { loadWorkspaces } from './reports/workspaces/load-workspaces.ts'
import type { Workspace } from './reports/workspaces/workspace.ts'
import { checkRegistry } from './rules/program/check.ts'
import { createProgram, type Program } from './rules/program/program.ts'
import { ruleErrors } from './rules/program/rule-errors.ts'
import { createRollups } from './rules/rollups/rollup.ts'
import { loadDialect } from './schema/dialect/load-dialect.ts'
import type { Database, Db } from './storage/database/database.ts'
import { openSqlite, type SqliteOptions } from './storage/database/sqlite.ts'
import { assertDefinitions } from './storage/migration/as-it-is.ts'
import { bringTables, wantedTables } from './storage/migration/bring-tables.ts'
import { readComputedSince } from './storage/migration/computed-columns.ts'
import {
  definitionsChecksum,
  type Generation,
  newestGeneration,
} from './storage/migration/generations.ts'
import type { MigrateOptions } from './storage/migration/migrate.ts'
import { checksumOf, lockUnfilled, readUnfilled } from './storage/migration/schema-store.ts'
import { createUnfilled } from './storage/migration/unfilled.ts'
import type { PostgresOptions } from './storage/postgres/postgres.ts'
import { cursors } from './storage/records/cursor.ts'
import { openSearch } from './storage/records/search.ts'
import { seriesStore } from './storage/records/series.ts'
import { openFillJob } from './storage/workspace/fill-jobs.ts'
import { readTier } from './storage/workspace/tier.ts'

export type DatabaseOptions =
  | ({ readonly kind: 'sqlite' } & SqliteOptions)
  | ({ readonly kind: 'postgres' } & PostgresOptions)

export interface EngineOptions extends DefinitionSources {
  readonly database: DatabaseOptions
  /** What these folders come to, where it was loaded before (`loadProgram`), e.g. for another engine of this process. */
  readonly program?: Program
  /** 32 bytes: signs cursors, encrypts secrets. */
  readonly secretKey: Buffer
  readonly clock?: Clock
  readonly sinks?: readonly EventSink[]
  /** The program as `svc --version` says it: for who is told which definitions meet which. */
  readonly version?: () => string
  readonly migration?: {
    /**
     * Whether the workspace is brought to these definitions: always, never (it is opened as it is, and other
     * definitions are refused), or only where nobody has brought it to any.
     */
    readonly when?: 'always' | 'never' | 'new'
    /** Whether definitions are taken again that newer ones have replaced. */
    readonly acceptOlder?: boolean
    readonly onProgress?: (line: string) => void
  }
}

/** A workspace that is open: the one thing the server, the command line and the tests hold. */
export interface Engine {
  /** Services that the operations stand on. Replaced whole by `reload`: take them once per request. */
  readonly services: Services
  /** The reports; asking for one throws DefinitionErrors when its file was broken since the start. */
  reports(): Reports
  /** What a file of this text would be as a report; throws DefinitionErrors with every mistake in it. */
  reportOf(file: SourceFile): Report
  /** What people see first; asking for it throws DefinitionErrors when a file was broken since the start. */
  workspaces(): readonly Workspace[]
  /**
   * Loads the folders again and migrates; on DefinitionErrors the old definitions go on serving. Throws CONFLICT where
   * another process has brought the workspace to newer ones.
   */
  reload(): Promise<void>
  /**
   * Loads the folders again where what stands in them now are the definitions that another process brought; says whether it has
   * them. Throws DefinitionErrors for folders with mistakes.
   */
  follow(newest: Generation): Promise<boolean>
  /** The generation of definitions that another process brought beside this one; undefined while none is newer. */
  newer(): Promise<Generation | undefined>
  /** How far fields are that are given their values, which a job does; undefined where none waits. */
  filling(): Promise<FillState | undefined>
  /** The effective tier (contract §3, Tiers); the lowest until one is set. */
  tier(db?: Db): Promise<string>
  /**
   * The operator's override (`svc tier set`); undefined takes it away. Throws VALIDATION_ERROR for a tier that
   * plans.yaml lacks.
   */
  setTier(slug: string | undefined): Promise<void>
  context(actor: Actor, tier: string): Context
  /**
   * Calls `listener` after each commit of this process that logged events; it must not throw. Returns what
   * ends that.
   */
  onEvents(listener: () => void): () => void
  close(): Promise<void>
}

/**
 * Opens a workspace: loads and checks the definitions, brings the tables to them, wires the parts. Throws
 * DefinitionErrors before it touches the database, CONFLICT for definitions that the workspace has replaced or is not
 * to be brought to, and the migration's error when that is refused.
 */
export async function openEngine(options: EngineOptions): Promise<Engine> {
  const program = options.program ?? loadProgram(options)
  const database = await openDatabase(options.database)
  try {
    const listeners = new Set<() => void>()
    const eventsCommitted = (): void => {
      for (const listener of listeners) listener()
    }
    let services = await startServices(options, database, program, { eventsCommitted })
    let reports: Reports | undefined
    let workspaces: readonly Workspace[] | undefined
    const reportsNow = (): Reports => {
      reports ??= openReports(options.doctypes, services.registry)
      return reports
    }
    const use = async (start: Start, loaded: Program, opened = options): Promise<void> => {
      services = await startServices(opened, database, loaded, start)
      reports = undefined
      workspaces = undefined
    }
    const reload = async (): Promise<void> => {
      const { generation } = services
      const acceptOlder = (newest: Generation): boolean => newest.number === generation
      await use({ eventsCommitted, acceptOlder }, loadProgram(options))
    }
    return {
      get services() {
        return services
      },
      reports: reportsNow,
      reportOf: (file) => reportOfFile(options.doctypes, services.registry, file),
      workspaces() {
        workspaces ??= loadWorkspaces(options.doctypes, services.registry, reportsNow())
        return workspaces
      },
      reload,
      async follow({ checksum }) {
        const loaded = loadProgram(options)
        const isIt = checksumWith(loaded.registry, database.kind) === checksum
        if (isIt) await use({ eventsCommitted }, loaded, asItIs(options))
        return isIt
      },
      filling: () => lookAtFilling(services),
      async newer() {
        const newest = await newestGeneration(database.read, database.kind)
        return newest && newest.number > services.generation ? newest : undefined
      },
      tier: (db) => readTier(db ?? database.read, services.plans),
      setTier: (slug) => setOverride(services, slug),
      context: (actor, tier) => {
        const { plans, grants } = services
        return { services, actor, tier, plans, grants }
      },
      onEvents(listener) {
        listeners.add(listener)
        return () => listeners.delete(listener)
      },
      close: () => database.close(),
    }
  } catch (error) {
    await database.close()
    throw error
  }
}

/**
 * Definitions with their expressions checked; every mistake of all files in one DefinitionErrors. With a
 * cache folder, files that have passed before are not checked again.
 */
export function loadChecked(sources: DefinitionSources): CachedDefinitions<Program> {
  const loaded = loadCached(sources, (found, parse, reports) => {
    const program = checkedProgram(found, parse)
    const { doctypes } = sources
    checkReportTexts(reports(), found.registry, program.scopes)
    loadWorkspaces(doctypes, found.registry, openReports(doctypes, found.registry))
    return program
  })
  loadDialect(sources.doctypes, loaded.registry)
  return loaded
}

/**
 * The program of these folders: what the check has compiled, else what is compiled at its first use. Throws
 * DefinitionErrors as `openEngine` does. Without a cache folder reports and workspaces are checked when they are asked for: it would
 * be done again at every start.
 */
export function loadProgram(sources: DefinitionSources): Program {
  const { registry, checked } =
    sources.cacheFolder === undefined ? loadCached(sources, checkedProgram) : loadChecked(sources)
  return checked ?? createProgram(registry)
}

/** Compiles loaded definitions whole. Throws DefinitionErrors for expressions and rules that cannot be. */
export function checkedProgram({ registry, mistakeAt }: LoadedDefinitions, parse?: Parse): Program {
  const { program, mistakes } = checkRegistry(registry, parse)
  const problems = mistakes.flatMap(({ definition, problem }) =>
    ruleErrors(definition, [problem], mistakeAt),
  )
  if (problems.length > 0) throw new DefinitionErrors(problems)
  return program
}

/** Opens the database alone, e.g. for a dry run of a migration. */
export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  if (options.kind === 'sqlite') return openSqlite(options)
  // Only who uses PostgreSQL pays for loading its driver.
  const { openPostgres } = await import('./storage/postgres/postgres.ts')
  return openPostgres(options)
}

interface Start {
  readonly eventsCommitted: () => void
  readonly acceptOlder?: MigrateOptions['acceptOlder']
}

/** Number of the generation that the workspace has once it was opened as the options say. */
async function openTables(
  { doctypes: folders, version = () => 'svc', migration = {} }: EngineOptions,
  database: Database,
  registry: Registry,
  acceptOlder: MigrateOptions['acceptOlder'],
): Promise<number> {
  const { when = 'always', acceptOlder: isAccepted = false, onProgress } = migration
  const own = { folders, program: version }
  const isBrought =
    when === 'always' || (when === 'new' && !(await newestGeneration(database.read, database.kind)))
  if (!isBrought) {
    const checksum = checksumWith(registry, database.kind)
    return assertDefinitions(database, { ...own, checksum })
  }
  const { generation = 0 } = await bringTables(database, registry, own, {
    ...(onProgress && { onProgress }),
    ...(isAccepted ? { acceptOlder: () => true } : acceptOlder && { acceptOlder }),
  })
  return generation
}

/** Options by which a workspace that another process has brought somewhere is opened again. */
function asItIs(options: EngineOptions): EngineOptions {
  return { ...options, migration: { ...options.migration, when: 'never' } }
}

/** Checksum of the generation that these definitions are. */
function checksumWith(registry: Registry, kind: Database['kind']): string {
  return definitionsChecksum(registry.checksum, checksumOf(wantedTables(registry.all, kind)))
}

async function startServices(
  options: EngineOptions,
  database: Database,
  program: Program,
  { eventsCommitted, acceptOlder }: Start,
): Promise<Services> {
  const { registry } = program
  const plans = loadPlans(options.doctypes)
  const roles = loadRoles(options.doctypes, registry.vocabulary.modules)
  const addons = loadAddons(options.doctypes, registry, plans)
  const colors = loadColors(options.doctypes)
  const places = createWrittenPlaces(options.doctypes, registry)
  // Whatever is wrong with the files is known by now. Who holds services of before is refused from here on.
  const generation = await openTables(options, database, registry, acceptOlder)
  const search = await database.write((tx) => openSearch(tx, database.kind, registry.all))
  const services: Services = {
    registry,
    version: options.version ?? (() => 'svc'),
    folders: options.doctypes,
    places,
    program,
    database,
    clock: options.clock ?? systemClock,
    plans,
    addons,
    dialect: once(() => loadDialect(options.doctypes, registry)),
    roles,
    colors,
    grants: createGrants(roles),
    knownRegistry: knownRegistries(registry),
    search,
    series: seriesStore(database.read, database.kind),
    events: eventLog(database.kind, { generation }),
    rollups: createRollups(
      registry,
      (definition) => program.partsOf(definition).rollups,
      database.kind,
    ),
    cursors: cursors(options.secretKey),
    sinks: options.sinks ?? [],
    eventsCommitted,
    seal: (purpose, text) => seal(options.secretKey, purpose, text),
    computedSince: await readComputedSince(database.read),
    generation,
    unfilled: createUnfilled(await readUnfilled(database.read)),
    partsOf: partsMaker(program, database),
  }
  const { when } = options.migration ?? {}
  if (when !== 'never') await keepWorkflows(services)
  await awaitFilling(services, when)
  return services
}

/**
 * Notes what waits for its values with all that follows from it, and sees to it that there is a job that gives them
 * theirs. Who brings no workspace anywhere leaves that to others.
 */
async function awaitFilling(
  services: Services,
  when: NonNullable<EngineOptions['migration']>['when'],
): Promise<void> {
  const { unfilled, program, database, clock } = services
  if (unfilled.now.columns.size === 0) return
  unfilled.set(fillPlanOf(program, unfilled.now.columns).columns)
  if (when === 'never') return
  await database.write(async (tx) => {
    await lockUnfilled(tx, database.kind)
    if ((await readUnfilled(tx)).length > 0) await openFillJob(tx, clock.now())
  })
}

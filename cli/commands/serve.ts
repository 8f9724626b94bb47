import type { Command } from 'commander'
import type { Logger } from 'pino'
import { DefinitionErrors } from '../../engine/definition/yaml/problems.ts'
import type { Engine } from '../../engine/index.ts'
import { refuseChanges } from '../../engine/storage/database/watch-writes.ts'
import type { Backups } from '../../server/backup/backup-routes.ts'
import { type ClaimedAddress, claimAddress } from '../../server/http/claim-address.ts'
import { boundHeap } from '../../server/observe/bounded-heap.ts'
import { createLogger } from '../../server/observe/logger.ts'
import { SETTING_ROWS, type Settings } from '../../server/settings/settings.ts'
import { handleSignals, startServer } from '../../server/start.ts'
import { addressFailure } from '../address-failure.ts'
import { servedBackups } from '../backup/served-backups.ts'
import { settleServed } from '../backup/settle-served.ts'
import { readableWorkspace } from '../read-only-copy.ts'
import { createStanding, type Served } from '../serving/standing.ts'
import { claimServing } from '../serving-claim.ts'
import { type SettingFlags, settingsOf } from '../settings.ts'
import { waitForSetup } from '../setup/door.ts'
import { firstRun } from '../setup/first-run.ts'
import { createRoles } from '../setup/roles.ts'
import { prettyLines } from '../terminal/pretty-log.ts'
import { booksProver } from '../verify/prove-books.ts'
import { watchFolders } from '../watch-folders.ts'
import {
  addWorkspaceOptions,
  openWorkspace,
  prepareFolders,
  servedWorkspace,
  studioPlace,
  type Workspace,
} from '../workspace.ts'
import { filesAt } from '../workspace-uploads.ts'

type ServeFlags = SettingFlags & {
  readonly watch?: boolean
  readonly waitForSetup?: boolean
  readonly acceptDefinitions?: boolean
}

/** Number of ports that are tried, from the default one on, where none is named. */
const PORTS_TRIED = 20

/** `svc serve`: runs everything; sets up a workspace that is empty. */
export function register(program: Command): void {
  addWorkspaceOptions(program.command('serve'))
    .description('serve the workspace; an empty data folder is set up first')
    .option('--port <port>', 'port to listen on, 0 picks a free one (SVC_PORT; default 8000)')
    .option('--host <address>', 'address to listen on (SVC_HOST; default 127.0.0.1)')
    .option(
      '--durability <level>',
      'SQLite: full survives a power cut, normal is faster (SVC_DURABILITY; default full)',
    )
    .option(
      '--wait-for-setup',
      'leave an empty workspace to be set up over HTTP, with the token in DATA/setup-token',
    )
    .option(
      '--accept-definitions',
      'go back to definitions that this workspace had before, on purpose',
    )
    .option('--watch', 'load DocTypes again when a file of them changes')
    .action(serve)
}

/** Prints `svc listening on URL`, the only line on stdout, and runs until SIGTERM or SIGINT. */
async function serve(flags: ServeFlags): Promise<void> {
  boundHeap()
  const { settings, warnings } = settingsOf(flags, process.env)
  const logger = openLog(settings)
  for (const warning of warnings) logger.warn(warning)
  const address = await claim(settings, portIsNamed(flags))
  await released(address, async () => {
    const { isCopy, ...workspace } = readableWorkspace(servedWorkspace(settings))
    const settled = isCopy ? undefined : await settleServed(workspace, settings)
    prepareFolders(workspace)
    const folder = isCopy ? undefined : claimServing(workspace, address.url)
    // It is held until the process ends: what nobody refers to would be closed, and so given back.
    process.once('exit', () => folder?.release())
    const serving: Serving = { flags, settings, logger, address, workspace, isCopy }
    const standing = createStanding(address, () => openAndServe(serving, backups))
    const backups = isCopy
      ? undefined
      : servedBackups({
          settings,
          logger,
          standing,
          settled,
          onLost: (error) => lost(error, logger),
        })
    await standing.start()
    handleSignals(standing, logger)
    if (flags.watch) watchFolders(workspace.doctypes, () => reload(standing.engine(), logger))
  })
  console.log(`svc listening on ${address.url}`)
}

/** What is served, where and how. */
interface Serving {
  readonly flags: ServeFlags
  readonly settings: Settings
  readonly logger: Logger
  readonly address: ClaimedAddress
  readonly workspace: Workspace
  /** Whether it is a copy of what may only be read. */
  readonly isCopy: boolean
}

/** Opens the workspace, sets it up where it is empty, and serves it. */
async function openAndServe(
  { flags, settings, logger, address, workspace, isCopy }: Serving,
  backups: Backups | undefined,
): Promise<Served> {
  const { engine, secretKey } = await openWorkspace(workspace, {
    migration: {
      acceptOlder: flags.acceptDefinitions === true,
      onProgress: (line) => logger.debug(line),
    },
    // To a copy of what may only be read nothing is written once it is open.
    fillsBeside: !isCopy,
  })
  return closedOnFailure(engine, async () => {
    const waiting = flags.waitForSetup
      ? await waitForSetup(engine, workspace, { settings, logger })
      : undefined
    const started = waiting ?? (await firstRun(engine, workspace, settings.env))
    await createRoles(engine)
    if (isCopy) await refuseChanges(engine.services.database)
    const proveBooks = settings.verifyNightly && !isCopy ? booksProver(settings) : undefined
    const files = filesAt(settings)
    const server = await startServer({
      ...{ engine, secretKey, settings, logger, address, setup: waiting },
      ...{ proveBooks, files, studio: isCopy ? undefined : studioPlace(workspace), backups },
    })
    // What the first run left is not brought up to date where nothing can be written.
    if (!isCopy) started?.announce(server.url)
    return { engine, server }
  })
}

/** Ends a process that could open neither what was restored nor what was there before: whoever starts it again finds out why. */
function lost(error: unknown, logger: Logger): void {
  logger.fatal({ err: error }, 'the workspace cannot be served any more')
  process.exit(1)
}

/** Log on stderr; as lines for people where that is a terminal. */
function openLog({ logLevel: level, logFormat: format }: Settings): Logger {
  const isPretty = format === 'pretty' || (format === 'auto' && process.stderr.isTTY)
  return createLogger({ level, ...(isPretty ? { destination: prettyLines(process.stderr) } : {}) })
}

/** Claims the address before a workspace is made: one made for a port that is taken would never be announced. */
async function claim(settings: Settings, isNamed: boolean): Promise<ClaimedAddress> {
  const last = settings.port + (isNamed ? 0 : PORTS_TRIED - 1)
  for (let port = settings.port; ; port++) {
    try {
      const address = await claimAddress({ ...settings, port })
      if (port !== settings.port)
        console.error(`svc: port ${settings.port} of ${settings.host} is taken, so it is ${port}`)
      return address
    } catch (error) {
      const isTaken = (error as NodeJS.ErrnoException).code === 'EADDRINUSE'
      if (!isTaken || port >= last) throw addressFailure(error, settings)
    }
  }
}

/** True for a port that somebody named, which is meant; one that nobody named gives way where it is taken. */
function portIsNamed({ port }: ServeFlags): boolean {
  return port !== undefined || Boolean(process.env[SETTING_ROWS.port.variable])
}

async function released(address: ClaimedAddress, job: () => Promise<void>): Promise<void> {
  try {
    await job()
  } catch (error) {
    address.release()
    throw error
  }
}

async function closedOnFailure<T>(engine: Engine, job: () => Promise<T>): Promise<T> {
  try {
    return await job()
  } catch (error) {
    await engine.close()
    throw error
  }
}

/** The old definitions go on serving while the new ones have a mistake. */
async function reload(engine: Engine | undefined, logger: Logger): Promise<void> {
  if (!engine) return
  try {
    await engine.reload()
    logger.info({ doctypes: engine.services.registry.all.length }, 'DocTypes loaded again')
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    console.error(error instanceof DefinitionErrors ? reason : `svc: ${reason}`)
    console.error('svc: the DocTypes from before are still served')
  }
}

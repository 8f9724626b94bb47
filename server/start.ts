import type { Logger } from 'pino'
import type { Engine } from '../engine/index.ts'
import { systemResolve } from '../webhooks/sending/resolve.ts'
import { type TargetPolicy, targetPolicy } from '../webhooks/sending/target.ts'
import { type AppSettings, createApp } from './app.ts'
import type { Backups } from './backup/backup-routes.ts'
import { type ProviderSettings, providerFor } from './billing/configured.ts'
import { openDesk } from './desk/desk-files.ts'
import type { Files } from './files/files.ts'
import { type ClaimedAddress, claimAddress } from './http/claim-address.ts'
import { drainable } from './http/drain.ts'
import { type NotYet, notYet } from './http/not-yet.ts'
import { createIdempotency, type Idempotency } from './idempotency/idempotency.ts'
import { booksJob, type ProveBooks } from './jobs/books-job.ts'
import type { DailyJob } from './jobs/daily-jobs.ts'
import { deliveryLines, startDeliveries } from './jobs/deliveries.ts'
import { filesJob } from './jobs/files-job.ts'
import { JOB_KINDS } from './jobs/job-kinds.ts'
import { startJobWorker } from './jobs/job-worker.ts'
import { pruningJobs } from './jobs/pruning-jobs.ts'
import { type Scheduler, scheduledJobs, startScheduler, statusTick } from './jobs/scheduler.ts'
import { limitConnections } from './limits/connection-limit.ts'
import { type MailSender, startMailSender } from './mail/sender.ts'
import { senderOf, smtpTransport } from './mail/transport.ts'
import { watchDefinitions } from './observe/definition-watch.ts'
import { watchFilling } from './observe/filling-watch.ts'
import { writeLines } from './observe/health.ts'
import { type IdleMemory, watchIdleMemory } from './observe/idle-memory.ts'
import { createMetrics } from './observe/metrics.ts'
import type { Settings } from './settings/settings.ts'
import type { SetupDoor } from './setup-door.ts'
import { noteBounce } from './share/bounced.ts'
import { createBackground } from './site/background.ts'
import { createSite } from './site/site.ts'
import type { StudioPlace } from './studio/studio.ts'

export interface StartOptions {
  /** Open; `close()` closes it. */
  readonly engine: Engine
  readonly settings: AppSettings &
    Pick<Settings, 'port' | 'host'> &
    Partial<DeliverySettings & ProviderSettings & MailSettings>
  /** The engine's own 32 bytes. */
  readonly secretKey: Buffer
  readonly logger: Logger
  /** Address it serves at; without one it listens where the settings say. */
  readonly address?: ClaimedAddress
  /** Door of a workspace that waits to be set up. */
  readonly setup?: SetupDoor | undefined
  /** Longest time for requests in flight once `close()` was called, in ms. */
  readonly drainTimeout?: number
  /** Time after the start until the work of the day is looked at first, in ms. */
  readonly firstLook?: number
  /** Place of uploaded files; without one none are taken. */
  readonly files?: Files | undefined
  /** Where Studio writes. */
  readonly studio?: StudioPlace | undefined
  /** Backups that are made while it serves; left out where nothing can be written. */
  readonly backups?: Backups | undefined
  /** Proves the books every night; left out where nobody wants it. */
  readonly proveBooks?: ProveBooks | undefined
}

export interface RunningServer {
  readonly url: string
  readonly port: number
  /** Takes no new request, answers those in flight, then closes the engine. Twice is once. */
  close(): Promise<void>
  /** The same, but keeps the address: whoever comes meanwhile is told why to wait, until another server is started at it. */
  pause(why: NotYet): Promise<void>
}

/** Where files, definitions and backups are kept. */
function placesOf({
  files,
  studio,
  backups,
}: StartOptions): Pick<StartOptions, 'files' | 'studio' | 'backups'> {
  return { files, studio, backups }
}

/** The settings that shape deliveries and what is kept; each has its usual default here too. */
type DeliverySettings = Pick<
  Settings,
  'webhookAllowPrivate' | 'webhookRetryBaseMs' | 'eventRetentionDays'
>

/** Settings of mail and sign-up: without a mail server mail waits; and whether anybody may make an account. */
type MailSettings = Pick<Settings, 'smtpUrl' | 'mailFrom' | 'signup'>

/** Answers that are too old to be repeated are removed this often, in ms (contract §3, Idempotency). */
const SWEEP_EVERY = 60 * 60 * 1000

/** Time that attempts to deliver or send still get when the server stops, in ms: then the next process makes them. */
const DELIVERY_GRACE = 5_000

/** Listens and serves until `close()`. Throws the system's error when the address is taken. */
export async function startServer(options: StartOptions): Promise<RunningServer> {
  const { engine, settings, secretKey, logger, drainTimeout = 10_000 } = options
  const address = options.address ?? (await claimAddress(settings))
  const { url, port } = address
  const metrics = createMetrics()
  const idempotency = createIdempotency(engine, secretKey)
  let draining = false
  const policy = policyOf(settings, [port])
  const background = createBackground(logger)
  const jobWorker = startJobWorker({ engine, logger, kinds: JOB_KINDS })
  const app = createApp({
    engine,
    settings,
    logger,
    metrics,
    idempotency,
    webhooks: { policy: () => policy, resolve: systemResolve, secretKey },
    billing: { provider: providerFor(settings), addresses: () => addressesOf(settings, url) },
    site: createSite({ engine, settings, background, listeningAt: () => url }),
    setup: options.setup,
    isDraining: () => draining,
    desk: openDesk(),
    jobs: jobWorker,
    ...placesOf(options),
  })
  const freeConnections = limitConnections(address.server, settings)
  address.answerWith(app)
  const drain = drainable(address.server)
  const sweeper = startSweeping(idempotency, logger)
  const worker = startDeliveries({
    engine,
    secretKey,
    logger,
    policy,
    retryBaseMs: settings.webhookRetryBaseMs,
  })
  metrics.watch(() => deliveryLines(worker.stats()))
  metrics.watch(() => writeLines(engine))
  const mail = startMail(options)
  const memory = watchMemory(engine, logger)
  const scheduler = startDailyJobs(options, memory)
  const watches = [memory, watchDefinitions(engine, logger), watchFilling(engine, logger)]

  async function stop(drained: Promise<void>): Promise<void> {
    draining = true
    clearInterval(sweeper)
    for (const watch of watches) watch.stop()
    await Promise.all([
      drained,
      scheduler.stop(),
      worker.stop(Math.min(drainTimeout, DELIVERY_GRACE)),
      jobWorker.stop(Math.min(drainTimeout, DELIVERY_GRACE)),
      mail?.stop(Math.min(drainTimeout, DELIVERY_GRACE)),
    ])
    await background.settled()
    metrics.close()
    await engine.close()
  }

  let closed: Promise<void> | undefined
  return {
    url,
    port,
    close: () => {
      closed ??= stop(drain.close(drainTimeout))
      return closed
    },
    pause(why) {
      if (!closed) {
        address.answerWith(notYet(why))
        freeConnections()
        closed = stop(drain.leave(drainTimeout))
      }
      return closed
    },
  }
}

/** Gives back what a load has needed. */
function watchMemory(engine: Engine, logger: Logger): IdleMemory {
  return watchIdleMemory({
    rest: () => engine.services.database.rest(),
    onError: (err) => logger.warn({ err }, 'could not give memory back'),
  })
}

/** Removes old idempotent answers from time to time. */
function startSweeping(idempotency: Idempotency, logger: Logger): NodeJS.Timeout {
  return setInterval(() => {
    idempotency
      .sweep()
      .catch((err: unknown) => logger.warn({ err }, 'could not remove old idempotent answers'))
  }, SWEEP_EVERY).unref()
}

/** Closes the server on SIGTERM and SIGINT and exits with 0; a second signal exits at once with 1. */
export function handleSignals({ close }: Pick<RunningServer, 'close'>, logger: Logger): void {
  let stopping = false
  const stop = (signal: NodeJS.Signals): void => {
    if (stopping) process.exit(1)
    stopping = true
    logger.info({ signal }, 'stopping: answering what is in flight')
    close().then(
      () => process.exit(0),
      (err: unknown) => {
        logger.error({ err }, 'could not stop cleanly')
        process.exit(1)
      },
    )
  }
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)
}

function startDailyJobs(options: StartOptions, memory: IdleMemory): Scheduler {
  const { engine, logger, firstLook } = options
  return startScheduler(engine, logger, {
    jobs: jobsOf(options),
    firstLook,
    afterFirstLook: () => memory.trim(),
  })
}

function startMail({ engine, settings, secretKey, logger }: StartOptions): MailSender | undefined {
  const { smtpUrl } = settings
  if (smtpUrl === undefined) return undefined
  return startMailSender({
    services: engine.services,
    secretKey,
    logger,
    transport: () => smtpTransport({ smtpUrl, from: senderOf(settings) }),
    onFailed: (mail, error) => noteBounce(engine, secretKey, mail, error),
  })
}

/** The work of every night and hour. */
function jobsOf({ engine, logger, settings, files, proveBooks }: StartOptions): DailyJob[] {
  return [
    statusTick(engine, logger),
    ...scheduledJobs(engine, logger),
    ...pruningJobs(engine, settings.eventRetentionDays),
    ...(files ? [filesJob(engine, files)] : []),
    ...(proveBooks ? [booksJob(engine, proveBooks, logger)] : []),
  ]
}

function policyOf(settings: StartOptions['settings'], ownPorts: readonly number[]): TargetPolicy {
  const { host, trustProxy, baseUrl, apiUrl, integrateUrl, webhookAllowPrivate = false } = settings
  return targetPolicy(
    { host, trustProxy, baseUrl, apiUrl, integrateUrl, allowPrivate: webhookAllowPrivate },
    ownPorts,
  )
}

/** Addresses people reach the workspace under; without one set, where it listens. */
function addressesOf(
  { baseUrl, integrateUrl, apiUrl }: StartOptions['settings'],
  url: string,
): readonly string[] {
  return [baseUrl ?? url, integrateUrl, apiUrl].filter((address) => address !== undefined)
}

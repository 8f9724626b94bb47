import compression from 'compression'
import express, { type Express, Router } from 'express'
import type { Logger } from 'pino'
import type { Engine } from '../engine/index.ts'
import { GUESTS_PER_MINUTE, guestsApart } from './api/guest-limit.ts'
import { billingMethods } from './api/methods/billing-methods.ts'
import { factorMethods } from './api/methods/factor-methods.ts'
import { fileMethods } from './api/methods/file-methods.ts'
import type { Methods } from './api/methods/method.ts'
import { reportMethods } from './api/methods/report-methods.ts'
import { sessionMethods } from './api/methods/session-methods.ts'
import { setupMethods } from './api/methods/setup-methods.ts'
import { siteMethods } from './api/methods/site-methods.ts'
import { apiRoutes } from './api/routes.ts'
import { downloadRoutes } from './attach/download.ts'
import { UPLOAD_PATH, uploads } from './attach/upload.ts'
import { lastUsedNotes } from './auth/last-used.ts'
import { HTTPS_BASE } from './auth/session-cookies.ts'
import { authenticate, identifier } from './authenticate.ts'
import { type Backups, backupRoutes } from './backup/backup-routes.ts'
import type { Billing } from './billing/billing.ts'
import type { DeskFiles } from './desk/desk-files.ts'
import { type DeskDeps, deskAddresses, deskRoutes } from './desk/desk-routes.ts'
import { type DirectStages, takeDirectly } from './direct/direct-way.ts'
import { lastHeaders } from './direct/last-headers.ts'
import type { Files } from './files/files.ts'
import { body } from './http/body.ts'
import { takeLargeBodies } from './http/body-turns.ts'
import { cors } from './http/cors.ts'
import { errorHandler } from './http/error-handler.ts'
import { countHeld } from './http/held-bytes.ts'
import { requireHost } from './http/host-check.ts'
import { knownHosts } from './http/host-names.ts'
import { notFound } from './http/not-found.ts'
import { requestId } from './http/request-id.ts'
import type { ErrorHandler, Handler, Identify, Stage } from './http/request-state.ts'
import { workHeaders } from './http/work-headers.ts'
import type { Idempotency } from './idempotency/idempotency.ts'
import { addressLimit, limitAddresses } from './limits/address-limit.ts'
import { type Counting, rateLimit } from './limits/rate-limit.ts'
import { memoryWindows, sharedWindows } from './limits/rate-windows.ts'
import { manualRoutes } from './manual/manual-routes.ts'
import { accessLog } from './observe/access-log.ts'
import { fillingHeader } from './observe/filling-header.ts'
import { healthRoutes } from './observe/health.ts'
import type { Metrics } from './observe/metrics.ts'
import { olderDefinitions } from './observe/older-definitions.ts'
import { onlySetup } from './only-setup.ts'
import { errorsForPeople } from './pages/errors-for-people.ts'
import { pageRoutes, visitorOf } from './pages/pages.ts'
import { paymentEventRoutes } from './payment-events.ts'
import { createPdfPrinter } from './print/pdf.ts'
import { printRoutes } from './print/print.ts'
import { referenceRoutes } from './reference/reference-routes.ts'
import { dataHeaders, securityHeaders } from './security-headers.ts'
import type { Settings } from './settings/settings.ts'
import type { SetupDoor } from './setup-door.ts'
import { linkRoutes } from './share/link-routes.ts'
import { publicRoutes } from './share/public-page.ts'
import { sendRoutes } from './share/send.ts'
import type { Site } from './site/site.ts'
import { createStudio, type StudioPlace } from './studio/studio.ts'
import { studioRoutes } from './studio/studio-routes.ts'
import { notificationRoutes } from './together/notifications.ts'
import { talkRoutes } from './together/record-talk.ts'
import { streamRoutes } from './together/stream.ts'
import { accessRoutes } from './v1/access.ts'
import { apiKeyRoutes } from './v1/api-keys.ts'
import { bootRoutes } from './v1/boot.ts'
import type { V1, WebhookDeps } from './v1/call.ts'
import { catalogRoutes } from './v1/catalog.ts'
import { refusalsInWords } from './v1/catalog-refusals.ts'
import { deliveryRoutes } from './v1/deliveries.ts'
import { eventCatalogueRoutes } from './v1/event-catalogue.ts'
import { eventRoutes } from './v1/events.ts'
import { importRoutes } from './v1/imports.ts'
import { jobRoutes } from './v1/jobs.ts'
import { undoRoutes } from './v1/jobs-undo.ts'
import { leaveRoutes } from './v1/leave.ts'
import { listViewRoutes } from './v1/list-views.ts'
import { meRoutes } from './v1/me.ts'
import { openApiRoutes } from './v1/openapi.ts'
import { personSettingRoutes } from './v1/person-settings.ts'
import { proofRoutes } from './v1/proof.ts'
import { type RecordRoutes, recordHandlers, recordRoutes } from './v1/records.ts'
import { bulkRoutes } from './v1/records-bulk.ts'
import { exportRoutes } from './v1/records-export.ts'
import { reportRoutes } from './v1/reports.ts'
import { searchRoutes } from './v1/search.ts'
import { tierRoutes } from './v1/tiers.ts'
import { webhookRoutes } from './v1/webhooks.ts'
import { setupPage } from './welcome/setup-page.ts'

/** The settings that shape answers. */
export type AppSettings = Pick<Settings, 'env' | 'corsOrigins' | 'trustProxy' | 'rateLimit'> &
  Partial<Pick<Settings, 'apiUrl' | 'baseUrl' | 'integrateUrl' | 'publicHosts' | 'directRoutes'>>

/** Parts an app is made of; `start.ts` makes them for a process, tests make their own. */
export interface AppDeps {
  readonly engine: Engine
  readonly settings: AppSettings
  readonly logger: Logger
  readonly metrics: Metrics
  readonly idempotency: Idempotency
  readonly webhooks: WebhookDeps
  readonly billing: Billing
  readonly site: Site
  /** Door of a workspace that waits to be set up. */
  readonly setup?: SetupDoor | undefined
  readonly isDraining: () => boolean
  /** The worker of long work; without it jobs wait for another process. */
  readonly jobs?: V1['jobs'] | undefined
  /** The built Desk; without it people who sign in get a page of tiles. */
  readonly desk?: DeskFiles | undefined
  /** Place of uploaded files; without one none are taken. */
  readonly files?: Files | undefined
  /** Where Studio writes; without a place it saves nothing. */
  readonly studio?: StudioPlace | undefined
  /** Backups of the workspace; without them nobody is offered any. */
  readonly backups?: Backups | undefined
}

/** Requests without a valid key that one address may send a minute. */
const FAILURES_PER_MINUTE = 60

/** Least size of an answer that is compressed, in bytes: shorter ones gain nothing from gzip. */
const GZIP_THRESHOLD = 1024

/** Express app of both surfaces: the order of everything a request goes through. */
export function createApp(deps: AppDeps): Express {
  const { engine, settings, logger, metrics, idempotency, billing, site, isDraining } = deps
  const jobs = deps.jobs ?? { ask: () => undefined }
  const { clock } = engine.services
  const trusted = { secretKey: deps.webhooks.secretKey, origins: ownOrigins(settings) }
  const identify = identifyOf(deps, trusted)
  const failures = addressLimit({ clock, limit: FAILURES_PER_MINUTE })
  const app = configured(settings)
  const everybody = firstStages(app, deps)
  healthRoutes(app, { engine, metrics, identify, isDraining })
  const setupAlone = onlySetup(deps.setup)
  app.use(setupAlone)
  const alone = settings.rateLimit ? [limitAddresses({ clock, limit: GUESTS_PER_MINUTE })] : []
  openApiRoutes(app, engine, identify, describedAt(settings), alone)
  manualRoutes(app)
  referenceRoutes(app, engine, identify)
  app.use('/hooks', paymentEventRoutes(engine, billing, logger))

  const windows = windowsOf(engine)
  const counted = (counting: Counting): Stage[] =>
    settings.rateLimit ? [rateLimit(engine, windows, counting)] : []
  const limit = counted({ pairsAsPeople: true })
  apiRoutes(app, {
    engine,
    logger,
    stages: [
      authenticate(engine, identify, failures, { guests: true }),
      ...limit.map((known) => guestsApart(clock, known)),
    ],
    methods: methodsOf(deps, trusted),
    ...describedAt(settings),
  })
  const pages = {
    site,
    logger,
    guests: addressLimit({ clock, limit: GUESTS_PER_MINUTE }),
    ...trusted,
    env: settings.env,
  }
  const desk = deskOf(deps, pages)
  if (desk) deskRoutes(app, desk)
  pageRoutes(app, { ...pages, hasFont: desk !== undefined })
  setupPage(app, { ...pages, files: deps.files, door: deps.setup })

  const pdf = createPdfPrinter()
  const stages = [authenticate(engine, identify, failures, { guests: true }), ...limit]
  paperRoutes(app, deps, { ...pages, pdf }, stages)

  const known = [
    authenticate(engine, identify, failures),
    ...counted({ pairsAsPeople: false }),
    bodies(),
    idempotency.stage,
  ]
  const services = { engine, idempotency, webhooks: deps.webhooks, billing, jobs }
  const records = recordHandlers(services)
  const v1 = Router({ caseSensitive: true })
  v1.use(...known, uploads({ engine, idempotency }, deps.files))
  linkRoutes(v1, { engine, idempotency, site })
  sendRoutes(v1, { engine, idempotency, site, pdf, files: deps.files })
  streamRoutes(v1, { engine, identify, logger })
  workspaceRoutes(v1, services, deps)
  v1Routes(v1, services, settings, records)
  v1.use(idempotency.afterRoutes)
  app.use('/v1', v1)

  if (desk) app.use(deskAddresses(desk))
  app.use(notFound())
  const errors = errorStages(deps)
  app.use(...errors)
  if (settings.directRoutes !== false)
    takeDirectly(app, engine, {
      ...everybody,
      v1: known,
      routes: records,
      errors: [idempotency.afterRoutes, ...errors],
      isOpen: setupAlone.isOver,
    })
  return app
}

/** Reads the bodies of surface B, but for those that their routes read. */
function bodies(): Stage {
  return body({
    bare: ['/me/settings/'],
    streamed: ['/imports'],
    forms: [UPLOAD_PATH],
    bytes: ['/backups'],
  })
}

/** Finds out who asks, on every surface in the same way. */
function identifyOf(
  { engine, settings, logger }: AppDeps,
  trusted: { readonly secretKey: Buffer; readonly origins: readonly string[] },
): Identify {
  const { env } = settings
  const noteUse = lastUsedNotes(engine.services.clock, (err) =>
    logger.warn({ err }, 'could not note the use of a key'),
  )
  const onError = (err: unknown): void =>
    logger.warn({ err }, 'could not note the use of a session')
  return identifier({ engine, env, noteUse, onError, ...trusted })
}

/** What is done with an error, from the first stage to the one that answers. */
function errorStages({ engine, site, logger }: AppDeps): ErrorHandler[] {
  return [
    olderDefinitions(engine),
    errorsForPeople({ site, logger }),
    refusalsInWords(engine),
    errorHandler(logger),
  ]
}

/** What is read outside the Desk: papers, files, and what a public link shows. */
function paperRoutes(
  app: Express,
  { engine, site, logger, files }: AppDeps,
  pages: Omit<Parameters<typeof publicRoutes>[1], 'files'>,
  stages: readonly Handler[],
): void {
  const { pdf } = pages
  printRoutes(app, { engine, site, logger, stages: [...stages], pdf, files })
  downloadRoutes(app, { engine, files, stages: [...stages] })
  publicRoutes(app, { ...pages, files })
}

function deskOf(
  { engine, desk }: AppDeps,
  visits: Parameters<typeof visitorOf>[0],
): DeskDeps | undefined {
  const isSignedIn: DeskDeps['isSignedIn'] = async (request) =>
    (await visitorOf(visits, request)) !== undefined
  return desk && { engine, desk, isSignedIn }
}

/** The methods of surface A that are none of a record. */
function methodsOf(
  { engine, billing, site, setup, files }: AppDeps,
  trusted: { readonly secretKey: Buffer; readonly origins: readonly string[] },
): Methods[] {
  return [
    sessionMethods({ engine, ...trusted, baseUrl: site.baseUrl }),
    factorMethods(site, trusted.secretKey),
    billingMethods(billing),
    siteMethods(site),
    setupMethods(setup),
    reportMethods(engine),
    fileMethods(files),
  ]
}

/** An app without stages, which takes requests as the settings say. */
function configured({ baseUrl, trustProxy }: AppDeps['settings']): Express {
  const app = express()
  app.disable('x-powered-by').disable('etag')
  app.set('query parser', false).set('case sensitive routing', true)
  app.set(HTTPS_BASE, baseUrl?.startsWith('https:') === true)
  app.set('trust proxy', trustProxy.length > 0 ? [...trustProxy] : false)
  countHeld(app)
  takeLargeBodies(app)
  return app
}

/** The stages that every request goes through, whatever it asks for; the direct way has those of them that it needs. */
function firstStages(
  app: Express,
  { engine, settings, logger, metrics }: AppDeps,
): Omit<DirectStages, 'v1' | 'routes' | 'errors' | 'isOpen'> {
  const last = [fillingHeader(engine), workHeaders(engine)]
  const data = dataHeaders()
  const before = [requestId(), accessLog(logger, metrics)]
  const after = [requireHost(knownHosts(settings)), cors(settings.corsOrigins)]
  const lastStage = lastHeaders(last)
  const compressed = compression({ threshold: GZIP_THRESHOLD })
  app.use(...before, lastStage, securityHeaders(data), ...after, compressed)
  return {
    first: [...before, data, ...after],
    last,
    lastHeaders: lastStage,
    compression: { stage: compressed, threshold: GZIP_THRESHOLD },
  }
}

/** What is done with the workspace as a whole: its definitions, and what is kept of it. */
function workspaceRoutes(
  router: Router,
  v1: V1,
  { engine, studio: place, backups }: AppDeps,
): void {
  const studio = createStudio(engine, place)
  studioRoutes(router, v1, studio)
  reportRoutes(router, v1, studio)
  backupRoutes(router, engine, backups)
}

/** Named routes come before the generic ones: their slugs are reserved (contract §1). */
function v1Routes(
  router: Router,
  v1: V1,
  { env }: AppDeps['settings'],
  records: RecordRoutes,
): void {
  bootRoutes(router, v1, env)
  catalogRoutes(router, v1)
  eventCatalogueRoutes(router, v1)
  apiKeyRoutes(router, v1, env)
  meRoutes(router, v1)
  personSettingRoutes(router, v1)
  listViewRoutes(router, v1)
  notificationRoutes(router, v1)
  eventRoutes(router, v1)
  webhookRoutes(router, v1)
  deliveryRoutes(router, v1)
  tierRoutes(router, v1)
  accessRoutes(router, v1)
  proofRoutes(router, v1)
  searchRoutes(router, v1)
  jobRoutes(router, v1)
  importRoutes(router, v1)
  undoRoutes(router, v1)
  leaveRoutes(router, v1)
  bulkRoutes(router, v1)
  exportRoutes(router, v1)
  talkRoutes(router, v1)
  recordRoutes(router, v1, records)
}

/** Origins whose pages may use a session: those that were named, and where people reach the workspace. */
function ownOrigins({ corsOrigins, baseUrl, integrateUrl, apiUrl }: AppSettings): string[] {
  const own = [baseUrl, integrateUrl, apiUrl].flatMap((url) =>
    url === undefined ? [] : [new URL(url).origin],
  )
  return [...corsOrigins.filter((origin) => origin !== '*'), ...own]
}

/** The address that the API's own description names; without one, wherever it was read. */
function describedAt({ apiUrl, baseUrl }: AppSettings): { readonly serverUrl?: string } {
  const serverUrl = apiUrl ?? baseUrl
  return serverUrl === undefined ? {} : { serverUrl }
}

/** One process serves a SQLite workspace; on PostgreSQL several share the limit. */
function windowsOf({ services }: Engine): ReturnType<typeof memoryWindows> {
  const { database, clock } = services
  return database.kind === 'sqlite' ? memoryWindows(clock) : sharedWindows(database, clock)
}

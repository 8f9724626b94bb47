import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { Writable } from 'node:stream'
import type { Express } from 'express'
import type { Scope } from '../../engine/access/actor.ts'
import { seal } from '../../engine/base/seal.ts'
import type { EventSink } from '../../engine/documents/work/context.ts'
import type { Engine } from '../../engine/index.ts'
import { type AppDeps, createApp } from '../../server/app.ts'
import { accountCleanUp } from '../../server/auth/account-sink.ts'
import { type CreatedKey, createKey, type KeyRequest } from '../../server/auth/api-keys.ts'
import type { PaymentProvider } from '../../server/billing/provider.ts'
import { attachedFiles } from '../../server/files/attached-files.ts'
import { type Files, type FilesOptions, filesFolder, openFiles } from '../../server/files/files.ts'
import { createIdempotency, type Idempotency } from '../../server/idempotency/idempotency.ts'
import { JOB_KINDS } from '../../server/jobs/job-kinds.ts'
import { startJobWorker } from '../../server/jobs/job-worker.ts'
import { writtenBytes } from '../../server/limits/written-bytes.ts'
import { createLogger } from '../../server/observe/logger.ts'
import { createMetrics } from '../../server/observe/metrics.ts'
import type { Settings } from '../../server/settings/settings.ts'
import { publicLinks } from '../../server/share/links.ts'
import { createBackground } from '../../server/site/background.ts'
import { factorLetters } from '../../server/site/factor-letters.ts'
import { createSite } from '../../server/site/site.ts'
import { notices } from '../../server/together/notices.ts'
import { webhookFanOut } from '../../webhooks/fan-out.ts'
import { webhookOwners } from '../../webhooks/owners.ts'
import { type Resolve, systemResolve } from '../../webhooks/sending/resolve.ts'
import type { TargetPolicy } from '../../webhooks/sending/target.ts'
import type { TestDatabase } from '../helpers/databases.ts'
import { type Furniture, openPrepared, type TestOptions } from '../helpers/prepared.ts'

const SHIPPED = join(import.meta.dirname, '../../doctypes')

/** The kinds of DocType the generic routes tell apart: plain, with rows, submittable, above the free tier. */
export const TEST_DOCTYPES: Readonly<Record<string, string>> = {
  gadget: `
doctype: Gadget
module: stock
tier: free
aliases: [gizmos]
naming: field:code
search: [title, code]
tree: parent_gadget
fields:
  code: {type: data, required: true, createOnly: true, filterable: true}
  title: {type: data, required: true, filterable: true}
  kind: {type: select, options: [Tool, Toy], filterable: true}
  price: {type: currency, min: 0, filterable: true}
  stock: {type: int, filterable: true}
  active: {type: check, default: true, filterable: true}
  made_on: {type: date, filterable: true}
  contact: {type: email, filterable: true}
  parent_gadget: {type: link, options: Gadget, filterable: true}
  secret_note: {type: data}
  pin: {type: password}
  story: {type: long_text}
  extra: {type: json}
`,
  parcel: `
doctype: Parcel
module: stock
tier: free
submittable: true
naming: PAR-{#####}
fields:
  receiver: {type: data, required: true, filterable: true}
  items: {type: table, options: Parcel Item}
`,
  'parcel-item': `
doctype: Parcel Item
module: stock
tier: free
child: true
fields:
  gadget: {type: link, options: Gadget, required: true}
  qty: {type: float, required: true, min: 0}
`,
  turbine: `
doctype: Turbine
module: assets
tier: business
naming: prompt
fields:
  power: {type: int}
`,
}

/** A clock that stands still until a test moves it. */
export interface TestClock {
  now(): number
  advance(milliseconds: number): void
}

export function testClock(start = Date.parse('2026-03-01T12:00:00.000Z')): TestClock {
  let time = start
  return {
    now: () => time,
    advance(milliseconds) {
      time += milliseconds
    },
  }
}

export interface TestAppOptions {
  /** Default: a new SQLite file. */
  readonly database?: TestDatabase
  readonly settings?: Partial<AppDeps['settings'] & Pick<Settings, 'signup' | 'smtpUrl'>>
  readonly clock?: TestClock
  readonly tier?: string
  readonly sinks?: readonly EventSink[]
  readonly doctypes?: Readonly<Record<string, string>>
  /** Whether definitions are taken again that newer ones have replaced (`--accept-definitions`). */
  readonly acceptOlder?: boolean
  /** What an empty database holds besides. */
  readonly furniture?: Furniture
  readonly isDraining?: () => boolean
  /** Which receivers may be called: by itself those on this machine, as on a developer's. */
  readonly policy?: TargetPolicy
  readonly resolve?: Resolve
  /** Store of uploaded files: a folder by itself. */
  readonly fileStore?: FilesOptions['store']
  /** Who takes the money: nobody by itself. */
  readonly provider?: PaymentProvider
  /** Backups of the workspace; without them there are none, as where nothing can be written. */
  readonly backups?: AppDeps['backups']
}

export interface TestApp {
  readonly app: Express
  readonly engine: Engine
  readonly clock: TestClock
  readonly idempotency: Idempotency
  readonly secretKey: Buffer
  /** Keys by scope, as header values. */
  readonly keys: Readonly<Record<Scope, string>>
  /** Works on the jobs that wait, to their end. */
  runJobs(): Promise<void>
  /** Resolves when what goes on after answers is done. */
  afterwards(): Promise<void>
  /** Place of uploaded files, and its folder. */
  readonly files: Files
  readonly filesFolder: string
  /** Folder of its own DocTypes. */
  readonly ownFolder: string
  /** Everything that was logged. */
  logged(): string
  newKey(request?: Partial<KeyRequest>): Promise<CreatedKey>
  /** Another app over the same engine, as a second process or a restart would be. */
  again(): TestApp
  close(): Promise<void>
}

/** The real app over a real engine, with keys of every scope. Without a database of its own it is removed at the end. */
export async function openTestApp(options: TestAppOptions = {}): Promise<TestApp> {
  const folder = mkdtempSync(join(tmpdir(), 'svc-app-'))
  const doctypes = join(folder, 'doctypes')
  mkdirSync(doctypes)
  for (const [slug, text] of Object.entries(options.doctypes ?? TEST_DOCTYPES)) {
    const file = join(doctypes, `${slug}.yaml`)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text.trimStart())
  }
  const clock = options.clock ?? testClock()
  const secretKey = Buffer.alloc(32, 7)
  const workspace: TestOptions = {
    database: options.database ?? {
      kind: 'sqlite',
      file: join(folder, 'svc.db'),
      durability: 'normal',
    },
    doctypes: [SHIPPED, doctypes],
    secretKey,
    clock,
    sinks: [
      accountCleanUp(),
      webhookOwners(),
      notices(),
      factorLetters({ clock, seal: (...text) => seal(secretKey, ...text) }),
      attachedFiles(),
      publicLinks(),
      webhookFanOut(),
      writtenBytes(),
      ...(options.sinks ?? []),
    ],
    ...(options.acceptOlder ? { migration: { acceptOlder: true } } : {}),
  }
  const engine = await openPrepared(workspace, options.furniture)
  if (options.tier) await engine.setTier(options.tier)
  return appOver(engine, { ...options, clock, secretKey, data: folder }, () =>
    rmSync(folder, { recursive: true, force: true }),
  )
}

/** The same over an engine that is open already, which it closes at its end. */
export async function appOver(
  engine: Engine,
  options: Omit<TestAppOptions, 'clock'> &
    Pick<TestApp, 'clock' | 'secretKey'> & { readonly data?: string },
  afterClose: () => void = () => undefined,
): Promise<TestApp> {
  const { clock, secretKey } = options
  const policy = options.policy ?? { loopback: true, private: false, ownPorts: [] }
  const data = options.data ?? join(tmpdir(), `svc-files-${process.pid}`)
  const files = openFiles({ data, ...(options.fileStore ? { store: options.fileStore } : {}) })
  const lines: string[] = []
  const logger = createLogger({
    level: 'trace',
    destination: new Writable({
      write(chunk, _encoding, done) {
        lines.push(String(chunk))
        done()
      },
    }),
  })
  const newKey = (request: Partial<KeyRequest> = {}): Promise<CreatedKey> =>
    engine.services.database.write((tx) =>
      createKey(
        tx,
        clock,
        { name: 'test' },
        {
          scope: 'admin',
          env: 'live',
          label: null,
          allow_ips: [],
          expires: null,
          ...request,
        },
      ),
    )
  const keys = {
    read: (await newKey({ scope: 'read' })).key,
    draft: (await newKey({ scope: 'draft' })).key,
    write: (await newKey({ scope: 'write' })).key,
    admin: (await newKey({ scope: 'admin' })).key,
  }

  function build(): TestApp {
    const metrics = createMetrics()
    const idempotency = createIdempotency(engine, secretKey)
    const background = createBackground(logger)
    const settings = {
      env: 'live',
      corsOrigins: [],
      trustProxy: [],
      rateLimit: true,
      directRoutes: process.env.SVC_TEST_DIRECT !== 'off',
      ...options.settings,
    } as const
    const app = createApp({
      engine,
      settings,
      site: createSite({ engine, settings, background, listeningAt: () => 'http://svc.test' }),
      logger,
      metrics,
      idempotency,
      webhooks: { policy: () => policy, resolve: options.resolve ?? systemResolve, secretKey },
      billing: {
        provider: options.provider,
        addresses: () => [options.settings?.baseUrl ?? 'http://127.0.0.1:8000'],
      },
      isDraining: options.isDraining ?? (() => false),
      files,
      backups: options.backups,
      studio:
        options.data === undefined
          ? undefined
          : { folder: join(options.data, 'doctypes'), cacheFolder: join(options.data, 'cache') },
    })
    return {
      app,
      engine,
      clock,
      idempotency,
      secretKey,
      keys,
      async runJobs() {
        const worker = startJobWorker({ engine, kinds: JOB_KINDS, logger })
        await worker.settled()
        await worker.stop()
      },
      afterwards: background.settled,
      files,
      filesFolder: filesFolder(data),
      ownFolder: join(data, 'doctypes'),
      logged: () => lines.join(''),
      newKey,
      again: build,
      async close() {
        await background.settled()
        metrics.close()
        await engine.close()
        afterClose()
      },
    }
  }
  return build()
}

/** Header of a key. */
export function bearer(key: string): string {
  return `Bearer ${key}`
}

import { existsSync } from 'node:fs'
import { systemClock } from '../../engine/base/clock.ts'
import { loadChecked, openDatabase, wantedTables } from '../../engine/index.ts'
import type { Database } from '../../engine/storage/database.ts'
import { migrate } from '../../engine/storage/migrate.ts'
import { type MailCount, mailBacklog } from '../../server/mail/store.ts'
import type { Settings } from '../../server/settings.ts'
import { deliveryBacklog } from '../../webhooks/delivery-store.ts'
import { definitionFolders, type Workspace } from '../workspace.ts'

/** `attention`: it works, but somebody should look; `failed`: it does not. */
export type CheckState = 'ok' | 'attention' | 'failed'

/** One thing that was looked at. */
export interface Check {
  readonly name: string
  readonly state: CheckState
  /** In words: what is, and what to do where it is not well. */
  readonly message: string
  /** The numbers of it, for programs. */
  readonly facts?: Readonly<Record<string, unknown>>
}

/** Mail and deliveries that have waited longer than this need somebody, in ms. */
const LATE = 60 * 60 * 1000

/**
 * Looks at a workspace and changes nothing: settings first, then the database, and what is in it as far as its
 * tables are there. Never throws for what is not well: that is the finding.
 */
export async function runChecks(workspace: Workspace, settings: Settings): Promise<Check[]> {
  const ofSettings = [providerCheck(settings), mailServerCheck(settings)]
  const { database: options } = workspace
  if (options.kind === 'sqlite' && !existsSync(options.file)) {
    const message = `there is no workspace in ${workspace.dataFolder}; \`svc serve\` starts one`
    return [{ name: 'database', state: 'failed', message }, ...ofSettings]
  }
  let database: Database
  try {
    database = await openDatabase(options)
  } catch (error) {
    return [failed('database', 'it cannot be opened', error), ...ofSettings]
  }
  try {
    const answers = await databaseCheck(database)
    if (answers.state === 'failed') return [answers, ...ofSettings]
    return [
      answers,
      await guarded('migrations', () => migrationCheck(workspace, database)),
      ...ofSettings,
      await guarded('mail', () => mailCheck(database)),
      await guarded('webhooks', () => webhookCheck(database)),
    ]
  } finally {
    await database.close()
  }
}

/** A pool of connections opens without one, so it is asked something. */
async function databaseCheck({ read, kind }: Database): Promise<Check> {
  try {
    await read.selectNoFrom(({ lit }) => lit(1).as('one')).execute()
    return { name: 'database', state: 'ok', message: `${kind}, it answers`, facts: { kind } }
  } catch (error) {
    return failed('database', 'it does not answer', error)
  }
}

/** What throws has failed: an older workspace may lack a table. */
async function guarded(name: string, check: () => Promise<Check>): Promise<Check> {
  try {
    return await check()
  } catch (error) {
    return failed(name, 'it could not be looked at; run `svc migrate` if that is not done', error)
  }
}

function failed(name: string, what: string, error: unknown): Check {
  const why = error instanceof Error ? error.message : String(error)
  return { name, state: 'failed', message: `${what}: ${why.split('\n')[0]}` }
}

async function migrationCheck(workspace: Workspace, database: Database): Promise<Check> {
  const { registry } = loadChecked(definitionFolders(workspace))
  const wanted = wantedTables(registry.all, database.kind)
  const { steps, refused } = await migrate(database, wanted, { dryRun: true, full: true })
  const facts = { steps: steps.length, refused: refused.length }
  const name = 'migrations'
  if (refused.length > 0) {
    const message = `${refused.length} would be refused; \`svc migrate --dry-run\` says why`
    return { name, state: 'failed', message, facts }
  }
  if (steps.length > 0) {
    const message = `${steps.length} to do; the next start or \`svc migrate\` does them`
    return { name, state: 'attention', message, facts }
  }
  return { name, state: 'ok', message: 'the tables are what the definitions want', facts }
}

function providerCheck({ stripeSecretKey, stripeWebhookSecret }: Settings): Check {
  const facts = {
    configured: stripeSecretKey !== undefined,
    signs_events: stripeWebhookSecret !== undefined,
  }
  const name = 'provider'
  if (stripeSecretKey === undefined)
    return { name, state: 'ok', message: 'not set up: plans change without payment', facts }
  if (stripeWebhookSecret === undefined) {
    const message =
      'set up, but its events cannot be believed: SVC_STRIPE_WEBHOOK_SECRET is not set'
    return { name, state: 'attention', message, facts }
  }
  return { name, state: 'ok', message: 'set up', facts }
}

function mailServerCheck({ smtpUrl, baseUrl }: Settings): Check {
  const facts = { configured: smtpUrl !== undefined, base_url: baseUrl !== undefined }
  const name = 'mail_server'
  if (smtpUrl === undefined) {
    const message = 'SVC_SMTP_URL is not set: mail waits, so nobody can set a forgotten password'
    return { name, state: 'attention', message, facts }
  }
  if (baseUrl === undefined) {
    const message = 'SVC_BASE_URL is not set: links in mail name the address that is listened on'
    return { name, state: 'attention', message, facts }
  }
  return { name, state: 'ok', message: `set up: ${new URL(smtpUrl).hostname}`, facts }
}

async function mailCheck({ read }: Database): Promise<Check> {
  const { waiting, failed } = await mailBacklog(read)
  const isLate = ageOf(waiting.oldest) > LATE
  return {
    name: 'mail',
    state: isLate || failed.count > 0 ? 'attention' : 'ok',
    message: `${countOf(waiting)} waiting, ${countOf(failed)} given up`,
    facts: { waiting: shown(waiting), failed: shown(failed) },
  }
}

async function webhookCheck({ read }: Database): Promise<Check> {
  const { waiting, oldest } = await deliveryBacklog(read)
  const count = { count: waiting, oldest }
  return {
    name: 'webhooks',
    state: ageOf(oldest) > LATE ? 'attention' : 'ok',
    message: `${countOf(count)} waiting`,
    facts: { waiting: shown(count) },
  }
}

function shown({ count, oldest }: MailCount): object {
  return { count, oldest_seconds: oldest === null ? null : Math.round(ageOf(oldest) / 1000) }
}

function countOf({ count, oldest }: MailCount): string {
  return oldest === null ? String(count) : `${count} (oldest ${inWords(ageOf(oldest))})`
}

/** How long ago, in ms; 0 for nothing. */
function ageOf(moment: string | null): number {
  return moment === null ? 0 : Math.max(0, systemClock.now() - Date.parse(moment))
}

/** The largest unit of which there is one. */
function inWords(age: number): string {
  const minutes = Math.round(age / 60_000)
  if (minutes < 60) return `${minutes} min`
  const hours = Math.round(minutes / 60)
  return hours < 48 ? `${hours} h` : `${Math.round(hours / 24)} days`
}

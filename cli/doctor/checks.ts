import { existsSync } from 'node:fs'
import { loadChecked, openDatabase } from '../../engine/index.ts'
import type { Database } from '../../engine/storage/database/database.ts'
import { bringTables } from '../../engine/storage/migration/bring-tables.ts'
import { readUnfilled } from '../../engine/storage/migration/schema-store.ts'
import type { Settings } from '../../server/settings/settings.ts'
import { versionLine } from '../package.ts'
import { definitionSources, type Workspace } from '../workspace.ts'
import { booksCheck } from './books-check.ts'
import { type Check, failed, guarded } from './check.ts'
import { clockCheck, databaseCheck } from './database-check.ts'
import { folderCheck } from './folder-check.ts'
import { leaseCheck, mailCheck, webhookCheck } from './outbox-checks.ts'
import { secretCheck } from './secret-check.ts'

/**
 * Looks at a workspace and changes nothing: folder and settings first, then the database, and what is in it as
 * far as its tables are there. Never throws for what is not well: that is the finding.
 */
export async function runChecks(workspace: Workspace, settings: Settings): Promise<Check[]> {
  const folder = await guarded('data_folder', async () => folderCheck(workspace))
  const ofSettings = [providerCheck(settings), mailServerCheck(settings)]
  const { database: options } = workspace
  if (options.kind === 'sqlite' && !existsSync(options.file)) {
    const message = `there is no workspace in ${workspace.dataFolder}; \`svc serve\` starts one`
    return [folder, { name: 'database', state: 'failed', message }, ...ofSettings]
  }
  let database: Database
  try {
    database = await openDatabase(options)
  } catch (error) {
    return [folder, failed('database', 'it cannot be opened', error), ...ofSettings]
  }
  try {
    const answers = await databaseCheck(database, options)
    if (answers.state === 'failed') return [folder, answers, ...ofSettings]
    return [
      folder,
      answers,
      ...(options.kind === 'postgres' ? await postgresPart(database, options.url, settings) : []),
      await guarded('migrations', () => migrationCheck(workspace, database)),
      await guarded('clock', () => clockCheck(database)),
      await guarded('secret_key', () => secretCheck(workspace, database)),
      ...ofSettings,
      await guarded('mail', () => mailCheck(database)),
      await guarded('webhooks', () => webhookCheck(database)),
      await guarded('leases', () => leaseCheck(database)),
      await guarded('books', () => booksCheck(database)),
    ]
  } finally {
    await database.close()
  }
}

/** Only who uses PostgreSQL pays for loading its driver. */
async function postgresPart(database: Database, url: string, settings: Settings): Promise<Check[]> {
  const { postgresChecks } = await import('./postgres-checks.ts')
  return postgresChecks(database, url, settings)
}

async function migrationCheck(workspace: Workspace, database: Database): Promise<Check> {
  const { registry } = loadChecked(definitionSources(workspace))
  const own = { folders: workspace.doctypes, program: versionLine }
  const {
    steps,
    refused,
    generation = null,
    isCurrent,
  } = await bringTables(database, registry, own, {
    dryRun: true,
    full: true,
  })
  const facts = { generation, steps: steps.length, refused: refused.length }
  const name = 'migrations'
  if (refused.length > 0) {
    const message = `${refused.length} would be refused; \`svc migrate --dry-run\` says why`
    return { name, state: 'failed', message, facts }
  }
  if (steps.length > 0) {
    const message = `${steps.length} to do; the next start or \`svc migrate\` does them`
    return { name, state: 'attention', message, facts }
  }
  if (!isCurrent) {
    const message = `the definitions are others than those of generation ${generation}, though the tables are what they want; \`svc serve\` and \`svc migrate\` bring the workspace to them, other commands refuse it`
    return { name, state: 'attention', message, facts }
  }
  const waiting = (await readUnfilled(database.read)).length
  if (waiting > 0) {
    const message = `${waiting} columns wait for their values; a server fills them, or \`svc migrate\``
    return { name, state: 'attention', message, facts: { ...facts, unfilled: waiting } }
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

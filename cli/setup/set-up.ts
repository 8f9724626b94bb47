import { SYSTEM_ACTOR } from '../../engine/access/actor.ts'
import { isoDateTime } from '../../engine/base/clock.ts'
import type { Engine } from '../../engine/index.ts'
import { chooseRetention } from '../../engine/storage/workspace/event-retention.ts'
import { createKey } from '../../server/auth/api-keys.ts'
import type { KeyEnvironment } from '../../server/auth/key-text.ts'
import { markRevoked } from '../../server/auth/store.ts'
import { Failure } from '../failure.ts'
import { claimWorkspace, isSetUp } from './administrator.ts'
import { createMasters, GENERAL } from './masters.ts'
import { createRoles } from './roles.ts'

/** Request for a new workspace: all that it begins with. */
export interface SetupRequest {
  readonly user: string
  readonly email: string | null
  /** What people call the first person; undefined for their login. */
  readonly fullName?: string | undefined
  readonly password: string
  readonly company: string
  readonly country: string | null
  /** ISO 4217. */
  readonly currency: string
  /** Name of the chart of accounts. */
  readonly chart: string
  /** MM-DD. */
  readonly yearStart: string
  /** Time zone of the company; null for UTC. */
  readonly timeZone: string | null
  /** Tier to set; null leaves the default. */
  readonly tier: string | null
  /** Days for which the event log keeps an event; 0 keeps all. */
  readonly eventRetentionDays: number
  readonly env: KeyEnvironment
}

/** Result for the first person, who needs it to begin; the only time password and key are seen. */
export interface SetupResult {
  readonly user: string
  readonly email: string | null
  readonly password: string
  readonly admin_key: string
  readonly company: string
  readonly country: string | null
  readonly currency: string
  readonly chart_of_accounts: string
  readonly fiscal_year_start: string
  readonly tier: string
}

/** Company of a workspace that nobody has asked anything for yet. */
export const TEST_COMPANY = {
  company: 'Test Company',
  country: null,
  currency: 'USD',
  chart: GENERAL,
  yearStart: '01-01',
  timeZone: null,
  eventRetentionDays: 0,
} as const

/** Fiscal years that are there from the beginning, around that of today; the next ones are made as time goes by. */
const YEARS = { before: 10, after: 1 } as const

/**
 * Sets up a workspace: masters, company, first admin key and, as the last step that decides, the first
 * person. `beforeClaim` keeps the result where it must not be lost. Returns undefined when the workspace is
 * set up already, also by another process in the meantime. It can be repeated after an interruption. Throws
 * VALIDATION_ERROR for an unknown country, currency or tier.
 */
export async function setUp(
  engine: Engine,
  folders: readonly string[],
  request: SetupRequest,
  beforeClaim: (result: SetupResult) => void = () => undefined,
): Promise<SetupResult | undefined> {
  const { database, clock } = engine.services
  if (await isSetUp(database.read)) return undefined
  const context = engine.context(SYSTEM_ACTOR, await engine.tier())
  if (request.tier !== null) await engine.setTier(request.tier)
  await createRoles(engine)
  await createMasters(context, folders, {
    chart: request.chart,
    country: request.country ?? undefined,
    years: { start: request.yearStart, ...YEARS },
    company: companyOf(request),
  })
  if (request.eventRetentionDays > 0)
    await database.write((tx) => chooseRetention(tx, request.eventRetentionDays))
  const key = await database.write((tx) =>
    createKey(
      tx,
      clock,
      { name: request.user },
      {
        scope: 'admin',
        env: request.env,
        label: 'Setup',
        allow_ips: [],
        expires: null,
      },
    ),
  )
  const { user, email, fullName, password, company, country, currency, chart, yearStart } = request
  const result: SetupResult = {
    user,
    email,
    password,
    admin_key: key.key,
    company,
    country,
    currency,
    chart_of_accounts: chart,
    fiscal_year_start: yearStart,
    tier: await engine.tier(),
  }
  beforeClaim(result)
  if (await claimWorkspace(context, { user, email, fullName, password })) return result
  await database.write((tx) => markRevoked(tx, key.id, isoDateTime(clock)))
  return undefined
}

/** Throws Failure for a workspace that is set up: a second first person would be a break-in. */
export async function refuseIfSetUp(engine: Engine): Promise<void> {
  if (await isSetUp(engine.services.database.read)) throw alreadySetUp()
}

export function alreadySetUp(): Failure {
  return new Failure('this workspace is set up already; `svc key create` makes further API keys')
}

function companyOf({
  company,
  currency,
  country,
  chart,
  timeZone,
}: SetupRequest): Readonly<Record<string, unknown>> {
  return {
    ...(timeZone === null ? {} : { time_zone: timeZone }),
    chart_of_accounts: chart,
    company_name: company,
    abbr: abbreviation(company),
    default_currency: currency,
    country,
  }
}

/** `Test Company` → `TC`. */
function abbreviation(company: string): string {
  const initials = company.split(/\s+/).map((word) => [...word][0] ?? '')
  return initials.join('').toUpperCase().slice(0, 10)
}

import { Failure, UsageError } from '../cli/failure.ts'
import { type SetupResult, setUp, TEST_COMPANY } from '../cli/setup/set-up.ts'
import { openWorkspace, type Workspace } from '../cli/workspace.ts'
import { SYSTEM_ACTOR } from '../engine/access/actor.ts'
import { systemClock } from '../engine/base/clock.ts'
import { diceOf } from '../engine/base/dice.ts'
import { listDocuments } from '../engine/documents/lists/list.ts'
import { type SetNames, setNames } from '../engine/documents/record/named-records.ts'
import { bringToToday } from '../engine/documents/schedule/scheduled.ts'
import type { TickOptions } from '../engine/documents/schedule/tick.ts'
import { addMonths } from '../engine/expression/run/calendar.ts'
import type { Engine } from '../engine/index.ts'
import type { KeyEnvironment } from '../server/auth/key-text.ts'
import { generatePassword } from '../server/auth/passwords.ts'
import type { DailyHold } from '../server/jobs/daily-hold.ts'
import { createDemoAccounts, type SignIn } from './accounts.ts'
import { addCompany } from './add-company.ts'
import { countRecords, moreOf } from './counts.ts'
import { holdForStory } from './hold.ts'
import { isFilled, mark, refuseUsed } from './may-fill.ts'
import { open } from './opening.ts'
import { workdayFrom } from './play/days.ts'
import { type PlayOptions, play, type StoryClock, storyClock } from './play/play.ts'
import { story } from './story.ts'
import { type DemoCompany, readDemoCompany } from './world/company.ts'
import { type Hands, handsOn } from './world/hands.ts'
import { newWorld } from './world/world.ts'
import { fiscalYearsOf } from './years.ts'

export interface DemoRequest {
  readonly seed: number
  /** Months of history, 1 to 12, that end today. */
  readonly months: number
  /** Tier that the demo accounts see, and a new workspace gets. */
  readonly tier: string
  /** Fill a workspace that has records of its own. */
  readonly force: boolean
  readonly env: KeyEnvironment
  /** First person of a new workspace, who has chosen a password; else one of a generated password. */
  readonly person?: { readonly email: string; readonly password: string } | undefined
}

export interface DemoResult {
  readonly seed: number
  readonly company: string
  /** First and last day of the history. */
  readonly from: string
  readonly to: string
  /** Resource → records that were made; the masters of a new workspace are not counted. */
  readonly records: Readonly<Record<string, number>>
  readonly total: number
  /** Accounts to sign in with; passwords are seen this once. */
  readonly accounts: readonly SignIn[]
  /** The first person and admin key, when the workspace had to be set up. */
  readonly setup: SetupResult | null
}

const COMPANY_DOCTYPE = 'Company'

/**
 * Fills a workspace with the history of the demo company, and sets it up first where it is not. Undefined
 * when it was filled before. Everything goes through the operations people use, so ledgers, statuses and events
 * are true; but no webhook is told of it: the engine is opened without the fan-out, for a year that never was
 * is no news to anybody. A server beside it does no daily jobs meanwhile: a half-told history is not to be acted
 * upon. Throws Failure for a workspace that an earlier call left half filled, or that has
 * records of its own (without `force`).
 */
export async function fillWithDemo(
  workspace: Workspace,
  request: DemoRequest,
  onDay: PlayOptions['onDay'] = () => undefined,
): Promise<DemoResult | undefined> {
  const to = new Date(systemClock.now()).toISOString().slice(0, 10)
  const from = workdayFrom(addMonths(to, -request.months))
  const clock = storyClock(from, systemClock)
  const { engine } = await openWorkspace(workspace, {
    clock,
    sinks: [],
    migration: { when: 'new' },
  })
  let hold: DailyHold | undefined
  try {
    if (await isFilled(engine)) return undefined
    hold = await holdForStory(engine)
    const isUsed = await refuseUsed(engine, workspace, request.force)
    assertTier(engine, request.tier)
    await mark(engine, { seed: request.seed, to, isDone: false })
    const company = readDemoCompany()
    const { setup, names } = await prepare(engine, workspace, company, { request, isUsed })
    const people = Object.values(company.accounts)
    const accounts = await createDemoAccounts(engine, people, request.tier)
    const before = await countRecords(engine)
    await tell(engine, company, { request, names, clock, from, to, onDay })
    clock.moveTo(systemClock.now())
    const options: TickOptions = {
      onFailure(doctype, name = 'records', error) {
        throw new Failure(`${doctype} ${name} cannot be brought to today`, { cause: error })
      },
    }
    await bringToToday(engine.services, options)
    await mark(engine, { seed: request.seed, to, isDone: true })
    const records = moreOf(await countRecords(engine), before)
    return {
      seed: request.seed,
      company: company.company.company_name,
      from,
      to,
      records,
      total: Object.values(records).reduce((sum, count) => sum + count, 0),
      accounts,
      setup,
    }
  } finally {
    await hold?.release()
    await engine.close()
  }
}

/** Throws UsageError for a tier that plans.yaml does not have. */
function assertTier({ services }: Engine, tier: string): void {
  const known = services.plans.plans.map(({ slug }) => slug)
  if (known.includes(tier)) return
  throw new UsageError(`--tier: expected one of ${known.join(', ')}, got ${JSON.stringify(tier)}`)
}

interface Preparation {
  readonly request: DemoRequest
  /** The workspace has records of its own, so its company stays the default one. */
  readonly isUsed: boolean
}

/** Sets the workspace up where it is not, and sees that the demo's company is there. */
async function prepare(
  engine: Engine,
  { doctypes }: Workspace,
  demo: DemoCompany,
  { request, isUsed }: Preparation,
): Promise<{ readonly setup: SetupResult | null; readonly names: SetNames }> {
  const hands = handsOn(engine, demo)
  const names = setNames(engine.services.registry)
  const { company } = demo
  const { person } = request
  const result = await setUp(engine, doctypes, {
    ...TEST_COMPANY,
    user: person?.email.toLowerCase() ?? SYSTEM_ACTOR.name,
    email: person?.email ?? null,
    password: person?.password ?? generatePassword(),
    company: company.company_name,
    country: company.country,
    currency: company.default_currency,
    tier: request.tier,
    env: request.env,
  })
  if (!result) {
    await addCompany(engine, hands, { doctypes, company, names, chart: TEST_COMPANY.chart })
    if (!isUsed) {
      await resignDefault(engine, hands)
      await hands.update('owner', COMPANY_DOCTYPE, company.company_name, { is_default: true })
    }
    return { setup: null, names }
  }
  const { company_name: name, default_currency: _currency, country: _country, ...more } = company
  await hands.update('owner', COMPANY_DOCTYPE, name, more)
  return { setup: result, names }
}

/** The company of a workspace that nobody has worked in yet makes room. */
async function resignDefault(engine: Engine, hands: Hands): Promise<void> {
  const { registry } = engine.services
  const { data } = await listDocuments(
    engine.context(SYSTEM_ACTOR, 'business'),
    registry.byDoctype(COMPANY_DOCTYPE)!,
    {
      filters: [{ field: 'is_default', operator: 'eq', values: [true] }],
      sort: 'created',
      order: 'asc',
      limit: 1,
      offset: 0,
      titles: false,
    },
  )
  for (const { id } of data) {
    await hands.update('owner', COMPANY_DOCTYPE, String(id), { is_default: false })
  }
}

interface Telling {
  readonly request: DemoRequest
  readonly names: SetNames
  readonly clock: StoryClock
  readonly from: string
  readonly to: string
  readonly onDay: PlayOptions['onDay']
}

/** The first day, and then day by day what comes after it. */
async function tell(
  engine: Engine,
  company: DemoCompany,
  { request, names, clock, from, to, onDay }: Telling,
): Promise<void> {
  const hands = handsOn(engine, company, names)
  const world = newWorld(company, {
    dice: diceOf(String(request.seed)),
    first: from,
    last: to,
    years: await fiscalYearsOf(engine, { first: from, last: to }),
    today: clock.today,
  })
  await open(world, hands)
  await play(story(world), {
    first: from,
    last: to,
    hands,
    clock,
    ...(onDay === undefined ? {} : { onDay }),
  })
}

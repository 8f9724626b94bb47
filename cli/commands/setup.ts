import { type Command, Option } from 'commander'
import { loadPlans } from '../../engine/access/load-plans.ts'
import { KEY_ENVIRONMENTS, type KeyEnvironment } from '../../server/auth/key-text.ts'
import { UsageError } from '../failure.ts'
import { askForSetup, openTerminal } from '../setup/ask.ts'
import { type SetupOptions, setupOptions } from '../setup/options.ts'
import { checkSetup, type SetupInput } from '../setup/request.ts'
import {
  alreadySetUp,
  refuseIfSetUp,
  type SetupRequest,
  type SetupResult,
  setUp,
} from '../setup/set-up.ts'
import { printJson } from '../terminal/output.ts'
import {
  addWorkspaceOptions,
  definitionFolders,
  locateWorkspace,
  openWorkspace,
  type WorkspaceFlags,
} from '../workspace.ts'

interface SetupFlags extends WorkspaceFlags {
  readonly email?: string
  readonly password?: string
  readonly company?: string
  readonly country?: string
  readonly currency?: string
  readonly chart?: string
  readonly fiscalYearStart?: string
  readonly tier?: string
  readonly eventRetention?: string
  readonly env: KeyEnvironment
  readonly json?: boolean
}

/** Names of the flags that are not called as what they say. */
const FLAGS: Readonly<Record<string, string>> = {
  chart_of_accounts: 'chart',
  fiscal_year_start: 'fiscal-year-start',
  event_retention: 'event-retention',
}

/** `svc setup`: the first person, the company and the first admin key of a new workspace. */
export function register(program: Command): void {
  addWorkspaceOptions(program.command('setup'))
    .description(
      'create the first person, the company and the first admin key; refused once done. On a terminal it asks for what no flag says',
    )
    .option('--email <address>', 'who signs in; without it the user is called Administrator')
    .option('--password <password>', 'generated and shown when it is not given')
    .option('--company <name>', 'name of the company (default "Test Company")')
    .option('--country <country>', 'its country, such as Germany or DE')
    .option('--currency <code>', "currency it keeps its accounts in (default the country's, USD)")
    .option('--chart <name>', "chart of accounts (default the country's, General)")
    .option(
      '--fiscal-year-start <MM-DD>',
      "first day of its fiscal years (default the country's, 01-01)",
    )
    .option('--tier <tier>', 'tier of the workspace')
    .option(
      '--event-retention <days>',
      'days for which the event log keeps an event, 31 at least (default 0: for ever)',
    )
    .addOption(
      new Option('--env <environment>', 'environment of the admin key')
        .choices(KEY_ENVIRONMENTS)
        .env('SVC_ENV')
        .default('live'),
    )
    .option('--json', 'print what was made as JSON')
    .action(run)
}

async function run(flags: SetupFlags): Promise<void> {
  const workspace = locateWorkspace(flags)
  const folders = definitionFolders(workspace)
  const options = setupOptions(folders, loadPlans(folders))
  const given = inputOf(flags)
  // Wrong flags are told before anything is made or asked.
  requestOf(options, given, flags)
  const { engine } = await openWorkspace(workspace)
  try {
    await refuseIfSetUp(engine)
    const input = await completed(options, given, flags)
    const result = await setUp(engine, workspace.doctypes, requestOf(options, input, flags))
    if (!result) throw alreadySetUp()
    if (flags.json) printJson(result)
    else show(result, input.password === undefined)
  } finally {
    await engine.close()
  }
}

/** Throws UsageError for the first value that cannot be. */
function requestOf(options: SetupOptions, input: SetupInput, { env }: SetupFlags): SetupRequest {
  const checked = checkSetup(options, input, env)
  if ('request' in checked) return checked.request
  for (const { field, message } of checked.problems)
    throw new UsageError(`--${FLAGS[field] ?? field}: ${message}`)
  throw new Error('a setup that cannot be has a problem')
}

function inputOf(flags: SetupFlags): SetupInput {
  const {
    email,
    password,
    company,
    country,
    currency,
    chart,
    fiscalYearStart,
    tier,
    eventRetention,
  } = flags
  return {
    email,
    password,
    company,
    country,
    currency,
    chart_of_accounts: chart,
    fiscal_year_start: fiscalYearStart,
    tier,
    event_retention: eventRetention,
  }
}

/** Asks on a terminal; a script is never made to wait for an answer. */
async function completed(
  options: SetupOptions,
  given: SetupInput,
  { json }: SetupFlags,
): Promise<SetupInput> {
  if (!process.stdin.isTTY || !process.stderr.isTTY || json) return given
  const terminal = openTerminal()
  try {
    return await askForSetup(terminal, options, given)
  } finally {
    terminal.close()
  }
}

function show(result: SetupResult, showsPassword: boolean): void {
  const lines = [
    ['user', result.user],
    ...(showsPassword ? [['password', result.password]] : []),
    ['admin key', result.admin_key],
    ['company', result.company],
    ...(result.country === null ? [] : [['country', result.country]]),
    ['currency', result.currency],
    ['accounts', result.chart_of_accounts],
    ['year from', result.fiscal_year_start],
    ['tier', result.tier],
  ]
  for (const [label = '', value] of lines) console.log(`${label.padEnd(10)} ${value}`)
  console.error('keep the admin key now, it is not shown again; `svc serve` starts the workspace')
}

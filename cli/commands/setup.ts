import { type Command, Option } from 'commander'
import { isEmail } from '../../engine/fields/text-format.ts'
import { KEY_ENVIRONMENTS, type KeyEnvironment } from '../../server/auth/key-text.ts'
import { generatePassword, passwordProblem } from '../../server/auth/passwords.ts'
import { UsageError } from '../failure.ts'
import { printJson } from '../output.ts'
import {
  alreadySetUp,
  refuseIfSetUp,
  type SetupRequest,
  setUp,
  TEST_COMPANY,
} from '../setup/set-up.ts'
import {
  addWorkspaceOptions,
  locateWorkspace,
  openWorkspace,
  type WorkspaceFlags,
} from '../workspace.ts'

interface SetupFlags extends WorkspaceFlags {
  readonly email?: string
  readonly password?: string
  readonly company: string
  readonly country?: string
  readonly currency: string
  readonly tier?: string
  readonly env: KeyEnvironment
  readonly json?: boolean
}

/** `svc setup`: the first person, the company and the first admin key of a new workspace. */
export function register(program: Command): void {
  addWorkspaceOptions(program.command('setup'))
    .description('create the first person, the company and the first admin key; refused once done')
    .option('--email <address>', 'who signs in; without it the user is called Administrator')
    .option('--password <password>', 'generated and shown when it is not given')
    .option('--company <name>', 'name of the company', TEST_COMPANY.company)
    .option('--country <country>', 'its country, such as Germany')
    .option('--currency <code>', 'currency it keeps its accounts in', TEST_COMPANY.currency)
    .option('--tier <tier>', 'tier of the workspace')
    .addOption(
      new Option('--env <environment>', 'environment of the admin key')
        .choices(KEY_ENVIRONMENTS)
        .env('SVC_ENV')
        .default('live'),
    )
    .option('--json', 'print {user, email, password, admin_key, company, tier} as JSON')
    .action(run)
}

async function run(flags: SetupFlags): Promise<void> {
  const request = readRequest(flags)
  const workspace = locateWorkspace(flags)
  const { engine } = await openWorkspace(workspace)
  try {
    await refuseIfSetUp(engine)
    const result = await setUp(engine, workspace.doctypes, request)
    if (!result) throw alreadySetUp()
    if (flags.json) {
      printJson(result)
      return
    }
    console.log(`user       ${result.user}`)
    if (flags.password === undefined) console.log(`password   ${result.password}`)
    console.log(`admin key  ${result.admin_key}`)
    console.log(`company    ${result.company}`)
    console.error('keep the admin key now, it is not shown again; `svc serve` starts the workspace')
  } finally {
    await engine.close()
  }
}

function readRequest(flags: SetupFlags): SetupRequest {
  const { email = null, password, company, country = null, currency, tier = null, env } = flags
  if (email !== null && !isEmail(email)) {
    throw new UsageError(
      `--email: expected an address such as ann@example.com, got ${JSON.stringify(email)}`,
    )
  }
  const problem = password === undefined ? undefined : passwordProblem(password)
  if (problem !== undefined) throw new UsageError(`--password: ${problem}`)
  if (company.trim() === '') throw new UsageError('--company: expected a name, got nothing')
  return {
    user: email?.toLowerCase() ?? 'Administrator',
    email,
    password: password ?? generatePassword(),
    company,
    country,
    currency,
    tier,
    env,
  }
}

import { type Command, InvalidArgumentError, Option } from 'commander'
import { KEY_ENVIRONMENTS, type KeyEnvironment } from '../../server/auth/key-text.ts'
import { type DemoResult, fillWithDemo } from '../demo/fill.ts'
import { printJson, printTable } from '../output.ts'
import { addWorkspaceOptions, locateWorkspace, type WorkspaceFlags } from '../workspace.ts'

interface DemoFlags extends WorkspaceFlags {
  readonly tier: string
  readonly seed: number
  readonly months: number
  readonly env: KeyEnvironment
  readonly force?: boolean
  readonly json?: boolean
}

const MOST_MONTHS = 12

/** `svc demo`: a company with a year behind it, to look at and to try things on. */
export function register(program: Command): void {
  addWorkspaceOptions(program.command('demo'))
    .description('fill a workspace with a year of an invented company and its demo accounts')
    .option(
      '--tier <tier>',
      'tier that the demo accounts see, and a new workspace gets',
      'business',
    )
    .option('--seed <number>', 'another number tells another year', wholeNumber(0, 2 ** 31), 1)
    .option(
      '--months <number>',
      'months of history, 1 to 12',
      wholeNumber(1, MOST_MONTHS),
      MOST_MONTHS,
    )
    .option('--force', 'also in a workspace that has records of its own')
    .addOption(
      new Option('--env <environment>', 'environment of the admin key of a new workspace')
        .choices(KEY_ENVIRONMENTS)
        .env('SVC_ENV')
        .default('live'),
    )
    .option('--json', 'print {seed, company, from, to, records, total, accounts, setup} as JSON')
    .action(run)
}

function wholeNumber(from: number, to: number): (text: string) => number {
  return (text) => {
    const number = Number(text)
    if (/^\d+$/.test(text) && number >= from && number <= to) return number
    throw new InvalidArgumentError(`expected a whole number from ${from} to ${to}`)
  }
}

async function run({
  seed,
  months,
  tier,
  env,
  force = false,
  json,
  ...flags
}: DemoFlags): Promise<void> {
  const result = await fillWithDemo(
    locateWorkspace(flags),
    { seed, months, tier, env, force },
    progress(),
  )
  if (json) printJson(result ?? { already: true })
  else if (result) print(result)
  else console.log('the demo is in this workspace already; nothing was done')
}

/** A bar on a terminal; a script that reads stderr gets a line now and then. */
function progress(): (played: number, all: number) => void {
  const { stderr } = process
  return (played, all) => {
    if (stderr.isTTY) {
      const done = Math.round((played * 30) / all)
      stderr.write(`\r  ${'█'.repeat(done)}${'░'.repeat(30 - done)} day ${played} of ${all}`)
      if (played === all) stderr.write('\n')
    } else if (played % 60 === 0 || played === all) console.error(`day ${played} of ${all}`)
  }
}

function print({ company, from, to, records, total, accounts, setup }: DemoResult): void {
  printTable(
    ['RESOURCE', 'RECORDS'],
    Object.entries(records).map(([slug, count]) => [slug, String(count)]),
    'nothing was made',
  )
  console.log(`\n${total} records of ${company}, ${from} to ${to}\n`)
  const signIns = [
    ...(setup ? [[setup.user, setup.password, 'the first person']] : []),
    ...accounts.map(({ email, password, full_name: name, roles }) => [
      email,
      password,
      `${name}: ${roles.join(', ')}`,
    ]),
  ]
  printTable(['USER', 'PASSWORD', 'WHO'], signIns, 'the demo accounts were there already')
  if (setup) console.log(`\nadmin key  ${setup.admin_key}`)
  console.error('keep what is secret now, it is not shown again; `svc serve` starts the workspace')
}

import { json as readJson } from 'node:stream/consumers'
import { type Command, InvalidArgumentError, Option } from 'commander'
import { type DemoRequest, type DemoResult, fillWithDemo } from '../../demo/fill.ts'
import { KEY_ENVIRONMENTS, type KeyEnvironment } from '../../server/auth/key-text.ts'
import { Failure } from '../failure.ts'
import { settingsOf } from '../settings.ts'
import { printJson, printTable, shellQuoted } from '../terminal/output.ts'
import { startProgress } from '../terminal/progress.ts'
import { addWorkspaceOptions, locateWorkspace, type WorkspaceFlags } from '../workspace.ts'

interface DemoFlags extends WorkspaceFlags {
  readonly tier: string
  readonly seed: number
  readonly months: number
  readonly env: KeyEnvironment
  readonly force?: boolean
  readonly json?: boolean
  readonly personOnStdin?: boolean
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
    .addOption(
      new Option(
        '--person-on-stdin',
        'JSON {email, password} of the first person of a new workspace on stdin',
      ).hideHelp(),
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
  personOnStdin,
  ...flags
}: DemoFlags): Promise<void> {
  const bar = startProgress({ label: 'playing' })
  const interruption = listenForInterruption()
  try {
    const result = await fillWithDemo(
      locateWorkspace(flags),
      { seed, months, tier, env, force, person: personOnStdin ? await readPerson() : undefined },
      (played, all) => {
        bar.show(played, all, `day ${played} of ${all}`)
        if (interruption.isAsked()) throw interrupted(played, all)
      },
    )
    bar.clear()
    if (json) printJson(result ?? { already: true })
    else if (result) print(result, flags)
    else console.log('the demo is in this workspace already; nothing was done')
  } finally {
    bar.clear()
    interruption.end()
  }
}

/** The first person, as the page of a new workspace hands them over: a password is no argument that others see. */
async function readPerson(): Promise<NonNullable<DemoRequest['person']>> {
  return (await readJson(process.stdin)) as NonNullable<DemoRequest['person']>
}

/** Tells whether Ctrl-C was pressed: the day that is being played is ended first. A second one ends at once. */
function listenForInterruption(): { isAsked(): boolean; end(): void } {
  let isAsked = false
  const note = (): void => {
    isAsked = true
  }
  process.once('SIGINT', note)
  return { isAsked: () => isAsked, end: () => void process.off('SIGINT', note) }
}

function interrupted(played: number, all: number): Failure {
  return new Failure(
    `interrupted after day ${played} of ${all}: what was played stays, and half a history cannot be gone on with; begin with an empty data folder or database, or restore a backup of this one`,
  )
}

function print(
  { company, from, to, records, total, accounts, setup }: DemoResult,
  flags: WorkspaceFlags,
): void {
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
  console.error('\nkeep what is secret now, it is not shown again')
  console.log(nextSteps(accounts[0]?.email, flags))
}

/** Text about a workspace that is filled: how it is started, and where to look at it. */
function nextSteps(email: string | undefined, flags: WorkspaceFlags): string {
  const { apiUrl, baseUrl, port } = settingsOf(flags, process.env).settings
  const url = apiUrl ?? baseUrl ?? `http://127.0.0.1:${port}`
  const person = email === undefined ? 'a demo account' : email
  return `
Next:
  1. svc serve${sameWorkspace(flags)}
  2. sign in at ${url}/login as ${person}
  3. look around at ${url}/docs, or with a key:
     KEY=$(svc key create --scope read${sameWorkspace(flags)})
     curl "${url}/v1/sales-invoices?status=Overdue" \\
       -H "Authorization: Bearer $KEY"`
}

/** The flags that named the workspace, for the next command. */
function sameWorkspace({ data, database, doctypes = [] }: WorkspaceFlags): string {
  const given = [
    ...(data === undefined ? [] : ['--data', word(data)]),
    // Its password belongs into no scrollback.
    ...(database === undefined ? [] : ['--database', 'URL']),
    ...doctypes.flatMap((folder) => ['--doctypes', word(folder)]),
  ]
  return given.map((part) => ` ${part}`).join('')
}

function word(text: string): string {
  return /^[\w./-]+$/.test(text) ? text : shellQuoted(text)
}

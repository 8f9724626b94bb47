import { type Command, Option } from 'commander'
import { SYSTEM_ACTOR } from '../../engine/access/actor.ts'
import { runAction } from '../../engine/documents/operations/act.ts'
import { createDocument } from '../../engine/documents/operations/create.ts'
import { updateDocument } from '../../engine/documents/operations/update.ts'
import { isEmail } from '../../engine/fields/text-format.ts'
import type { Engine } from '../../engine/index.ts'
import { newPassword, setPassword } from '../../server/auth/accounts.ts'
import { makePairAnew } from '../../server/auth/key-making.ts'
import { KEY_ENVIRONMENTS, type KeyEnvironment } from '../../server/auth/key-text.ts'
import { generatePassword, passwordProblem } from '../../server/auth/passwords.ts'
import { findPerson, type Person, peopleOf } from '../../server/auth/people.ts'
import { listPeople } from '../../server/auth/person-store.ts'
import { leave } from '../../server/leaving.ts'
import { Failure, UsageError } from '../failure.ts'
import { assertRoles, withoutRole } from '../roles.ts'
import { printJson, printTable } from '../terminal/output.ts'
import { addWorkspaceOptions, collect, type WorkspaceFlags, withWorkspace } from '../workspace.ts'

/** Action of people by which their second factors go (server/auth/account-sink.ts follows its event). */
const RESET_ACTION = 'reset_second_factor'

interface AddFlags extends WorkspaceFlags {
  readonly fullName?: string
  readonly role?: readonly string[]
  readonly password?: string
  readonly apiKey?: boolean
  readonly env: KeyEnvironment
  readonly json?: boolean
}

/** Result of `user add`; password and secrets are seen this once. */
interface Added {
  readonly user: string
  readonly full_name: string
  readonly roles: readonly string[]
  readonly password?: string
  readonly api_key?: string
  readonly api_secret?: string
}

/** `svc user …`: who can sign in. */
export function register(program: Command): void {
  const user = program.command('user').description('people who can sign in')

  addWorkspaceOptions(user.command('add <email>'))
    .description('add somebody, or give somebody who is there further roles or new keys')
    .option('--full-name <name>', 'their name; needed for somebody new')
    .option('--role <role>', 'role they have; may be repeated', collect)
    .option('--password <password>', 'generated and shown for somebody new when it is not given')
    .option(
      '--api-key',
      'issue key and secret for `Authorization: token key:secret`; earlier ones end',
    )
    .addOption(
      new Option('--env <environment>', 'environment that key and secret are for')
        .choices(KEY_ENVIRONMENTS)
        .env('SVC_ENV')
        .default('live'),
    )
    .option('--json', 'print {user, full_name, roles, password?, api_key?, api_secret?} as JSON')
    .action(add)

  addWorkspaceOptions(user.command('list'))
    .description('list people, their roles and whether they can sign in')
    .option('--json', 'print [{user, full_name, enabled, roles}] as JSON')
    .action(list)

  addWorkspaceOptions(user.command('disable <email>'))
    .description('end all sessions and keys of somebody at once; nothing of theirs is deleted')
    .option('--json', 'print {user, enabled} as JSON')
    .action(disable)

  addWorkspaceOptions(user.command('leave <email>'))
    .description(
      'disable somebody for good: their sessions, keys, pairs and mailed links end, their webhooks pause',
    )
    .option(
      '--hand-over-to <email>',
      'successor: gets what they still had to do, and the webhooks as a System Manager',
    )
    .option('--json', 'print {sessions, pairs, links, keys, webhooks, records} as JSON')
    .action(leaves)

  addWorkspaceOptions(user.command('passwd <email>'))
    .description(
      'give somebody a new password, and end their sessions and their pair of key and secret',
    )
    .option('--password <password>', 'generated and shown when it is not given')
    .option('--json', 'print {user, password?} as JSON')
    .action(passwd)

  addWorkspaceOptions(user.command('reset-second-factor <email>'))
    .description(
      'take the second factors of somebody away, and end their sessions; mail tells them',
    )
    .option('--json', 'print {user} as JSON')
    .action(resetSecondFactor)
}

async function add(email: string, flags: AddFlags): Promise<void> {
  const { password, role: roles = [], apiKey, json } = flags
  assertPassword(password)
  let remark: string | undefined
  const added = await withWorkspace(flags, async (engine): Promise<Added> => {
    const login = loginOf(email)
    const known = await findPerson(engine.services, login)
    await assertRoles(engine, roles)
    if (!known) await create(engine, login, flags)
    else if (roles.length > 0) await addRoles(engine, known, roles)
    const secret = password ?? (known ? undefined : generatePassword())
    if (secret !== undefined) await give(engine, login, secret)
    const pair = apiKey ? await pairOf(engine, login, flags.env) : {}
    const person = await mustFind(engine, login)
    if (person.roles.length === 0) remark = await withoutRole(engine, login)
    return {
      user: person.login,
      full_name: person.fullName,
      roles: person.roles,
      ...(secret === undefined || password !== undefined ? {} : { password: secret }),
      ...pair,
    }
  })
  if (json) {
    printJson(added)
    return
  }
  for (const [name, value] of Object.entries(added))
    console.log(`${name.padEnd(11)} ${Array.isArray(value) ? value.join(', ') : value}`)
  if (added.password !== undefined || added.api_secret !== undefined)
    console.error('keep what is secret now, it is not shown again')
  if (remark !== undefined) console.error(remark)
}

async function create(engine: Engine, login: string, flags: AddFlags): Promise<void> {
  const { fullName, role: roles = [] } = flags
  if (!isEmail(login))
    throw new UsageError(
      `expected the mail address of somebody new such as ann@example.com, got ${JSON.stringify(login)}`,
    )
  if (fullName === undefined) throw new UsageError('--full-name: expected the name of somebody new')
  const context = engine.context(SYSTEM_ACTOR, await engine.tier())
  await createDocument(context, peopleOf(engine.services), {
    login,
    email: login,
    full_name: fullName,
    roles: roles.map((role) => ({ role })),
  })
}

async function pairOf(
  { services }: Engine,
  login: string,
  env: KeyEnvironment,
): Promise<{ readonly api_key: string; readonly api_secret: string }> {
  const wanted = { login, env }
  const { api_key, api_secret } = await services.database.write((tx) =>
    makePairAnew(tx, services, SYSTEM_ACTOR, wanted),
  )
  return { api_key, api_secret }
}

async function addRoles(
  engine: Engine,
  { login, roles }: Person,
  further: readonly string[],
): Promise<void> {
  const all = [...new Set([...roles, ...further])]
  await change(engine, login, { roles: all.map((role) => ({ role })) })
}

async function change(engine: Engine, login: string, body: object): Promise<void> {
  const context = engine.context(SYSTEM_ACTOR, await engine.tier())
  await updateDocument(context, peopleOf(engine.services), login, body)
}

async function give({ services }: Engine, login: string, password: string): Promise<void> {
  const hashed = await newPassword(password)
  await services.database.write((tx) => setPassword(tx, services, login, hashed))
}

async function list(flags: WorkspaceFlags & { readonly json?: boolean }): Promise<void> {
  const people = await withWorkspace(flags, ({ services }) =>
    listPeople(services.database.read, peopleOf(services)),
  )
  if (flags.json) {
    printJson(people)
    return
  }
  printTable(
    ['USER', 'NAME', 'ENABLED', 'ROLES'],
    people.map(({ user, full_name, enabled, roles }) => [
      user,
      full_name,
      enabled ? 'yes' : 'no',
      roles.join(', '),
    ]),
    'nobody can sign in; `svc user add EMAIL --full-name N` adds somebody',
  )
}

async function disable(
  email: string,
  flags: WorkspaceFlags & { readonly json?: boolean },
): Promise<void> {
  const user = await withWorkspace(flags, async (engine) => {
    const { login } = await mustFind(engine, loginOf(email))
    await change(engine, login, { enabled: false })
    return login
  })
  if (flags.json) printJson({ user, enabled: false })
  else console.log(`disabled ${user}`)
}

async function leaves(
  email: string,
  flags: WorkspaceFlags & { readonly handOverTo?: string; readonly json?: boolean },
): Promise<void> {
  const { handOverTo } = flags
  const left = await withWorkspace(flags, async (engine) => {
    const { login } = await mustFind(engine, loginOf(email))
    const to = handOverTo && (await mustFind(engine, loginOf(handOverTo))).login
    return leave(engine.context(SYSTEM_ACTOR, await engine.tier()), login, { to })
  })
  if (flags.json) {
    printJson(left)
    return
  }
  const { sessions, pairs, links, keys, webhooks, records } = left
  console.log(
    `${email} has left; ended: sessions ${sessions}, pairs ${pairs}, links ${links}, keys ${keys.length}`,
  )
  for (const [resource, ids] of Object.entries(records))
    console.log(`${resource} handed over: ${ids.length}`)
  for (const { id, action } of webhooks) console.log(`webhook ${id}: ${action.replace('_', ' ')}`)
}

async function passwd(
  email: string,
  flags: WorkspaceFlags & { readonly password?: string; readonly json?: boolean },
): Promise<void> {
  assertPassword(flags.password)
  const password = flags.password ?? generatePassword()
  const user = await withWorkspace(flags, async (engine) => {
    const { login } = await mustFind(engine, loginOf(email))
    await give(engine, login, password)
    return login
  })
  const isGenerated = flags.password === undefined
  if (flags.json) printJson({ user, ...(isGenerated ? { password } : {}) })
  else if (isGenerated) console.log(password)
  console.error(
    `${user} has a new password; all their sessions and their pair of key and secret have ended`,
  )
}

async function resetSecondFactor(
  email: string,
  flags: WorkspaceFlags & { readonly json?: boolean },
): Promise<void> {
  const user = await withWorkspace(flags, async (engine) => {
    const { login } = await mustFind(engine, loginOf(email))
    const context = engine.context(SYSTEM_ACTOR, await engine.tier())
    await runAction(context, peopleOf(engine.services), login, RESET_ACTION, {})
    return login
  })
  if (flags.json) printJson({ user })
  else console.log(`${user} signs in with the password alone; all their sessions have ended`)
}

async function mustFind({ services }: Engine, login: string): Promise<Person> {
  const person = await findPerson(services, login)
  if (!person)
    throw new Failure(
      `there is nobody called ${JSON.stringify(login)}; \`svc user list\` names all`,
    )
  return person
}

/** E-mail addresses are written in small letters. */
function loginOf(text: string): string {
  return text.includes('@') ? text.toLowerCase() : text
}

function assertPassword(password: string | undefined): void {
  const problem = password === undefined ? undefined : passwordProblem(password)
  if (problem !== undefined) throw new UsageError(`--password: ${problem}`)
}

import { type Command, Option } from 'commander'
import { SCOPES, SYSTEM_ACTOR } from '../../engine/access/actor.ts'
import { assertMayCreate, readKeyRequest, shownKey } from '../../server/auth/api-keys.ts'
import { makeKey, revokeKey } from '../../server/auth/key-making.ts'
import { KEY_ENVIRONMENTS } from '../../server/auth/key-text.ts'
import { selectKeys } from '../../server/auth/store.ts'
import { Failure } from '../failure.ts'
import { printJson, printTable } from '../terminal/output.ts'
import { addWorkspaceOptions, collect, type WorkspaceFlags, withWorkspace } from '../workspace.ts'

interface CreateFlags extends WorkspaceFlags {
  readonly scope: string
  readonly env: string
  readonly label?: string
  readonly allowIp?: readonly string[]
  readonly json?: boolean
}

const MOST_KEYS = 10_000

/** `svc key …`: API keys of /v1. */
export function register(program: Command): void {
  const key = program.command('key').description('create, list and revoke API keys')

  addWorkspaceOptions(key.command('create'))
    .description('create a key; it is shown this once')
    .addOption(
      new Option('--scope <scope>', 'what it may do; each includes the ones before it')
        .choices(SCOPES)
        .makeOptionMandatory(),
    )
    .addOption(
      new Option('--env <environment>', 'live or test')
        .choices(KEY_ENVIRONMENTS)
        .env('SVC_ENV')
        .default('live'),
    )
    .option('--label <text>', 'what it is for')
    .option('--allow-ip <address>', 'address or CIDR range it works from; may be repeated', collect)
    .option('--json', 'print {id, key, prefix, scope, env} as JSON')
    .action(create)

  addWorkspaceOptions(key.command('list'))
    .description('list the keys that are valid; the keys themselves are not kept')
    .option('--json', 'print [{id, label, scope, env, prefix, last4, last_used, …}] as JSON')
    .action(list)

  addWorkspaceOptions(key.command('revoke <id>'))
    .description('end a key at once')
    .option('--json', 'print {id, revoked} as JSON')
    .action(revoke)
}

async function create(flags: CreateFlags): Promise<void> {
  const created = await withWorkspace(flags, async (engine) => {
    const { services } = engine
    const { scope, env, label, allowIp = [] } = flags
    const body = { scope, env, label, allow_ips: allowIp }
    const wanted = readKeyRequest(body, 'live', services.clock)
    assertMayCreate(SYSTEM_ACTOR, services.plans, await engine.tier(), wanted.request)
    return services.database.write((tx) => makeKey(tx, services, SYSTEM_ACTOR, wanted))
  })
  const { id, prefix, scope, env } = created
  const key = 'key' in created ? created.key : ''
  if (flags.json) {
    printJson({ id, key, prefix, scope, env })
    return
  }
  console.log(key)
  console.error(`key ${id}, scope ${scope}, ${env}: keep it now, it is not shown again`)
}

async function list(flags: WorkspaceFlags & { readonly json?: boolean }): Promise<void> {
  const rows = await withWorkspace(flags, ({ services }) =>
    selectKeys(services.database.read, { limit: MOST_KEYS }),
  )
  const keys = rows.map(shownKey)
  if (flags.json) {
    printJson(keys)
    return
  }
  printTable(
    ['ID', 'KEY', 'TYPE', 'SCOPE', 'ENV', 'USER', 'CREATED', 'LAST USED', 'LABEL'],
    keys.map((key) => [
      key.id,
      `${key.prefix}…${key.last4}`,
      key.type,
      key.scope,
      key.env,
      key.user ?? '',
      key.created,
      key.last_used ?? 'never',
      key.label ?? '',
    ]),
    'no keys; `svc key create --scope read` makes one',
  )
}

async function revoke(
  id: string,
  flags: WorkspaceFlags & { readonly json?: boolean },
): Promise<void> {
  const revoked = await withWorkspace(flags, ({ services }) =>
    services.database.write((tx) => revokeKey(tx, services, SYSTEM_ACTOR, id)),
  )
  if (!revoked)
    throw new Failure(`there is no valid key ${JSON.stringify(id)}; \`svc key list\` names all`)
  if (flags.json) printJson({ id, revoked: true })
  else console.log(`revoked ${id}`)
}

import type { Command } from 'commander'
import { type ToldRight, toldRights } from '../../engine/documents/rights/told-rights.ts'
import type { Engine } from '../../engine/index.ts'
import { actorOf, findPerson, peopleOf } from '../../server/auth/people.ts'
import { listPeople } from '../../server/auth/person-store.ts'
import { Failure, UsageError } from '../failure.ts'
import { resourceOf } from '../resource.ts'
import { printJson, printTable } from '../terminal/output.ts'
import { addWorkspaceOptions, type WorkspaceFlags, withWorkspace } from '../workspace.ts'

type AccessFlags = WorkspaceFlags & { readonly json?: boolean }

/** Rights of a person on a record or field. */
interface PersonRights {
  readonly user: string
  readonly rights: readonly ToldRight[]
}

/** `svc access …`: who may read or change a record or a field of it, and by which rule (contract §7.7). */
export function register(program: Command): void {
  const access = program
    .command('access')
    .description('tell who may do what with a record or a field, and by which rule')

  addWorkspaceOptions(access.command('who <record> [field]'))
    .description('list everybody who may, e.g. of employees/EMP-00001 user_id')
    .option('--json', 'print [{user, rights: [{right, may, why}]}] as JSON')
    .action(who)

  addWorkspaceOptions(access.command('why <person> <record> [field]'))
    .description('say what somebody may and may not, and why')
    .option('--json', 'print {user, rights: [{right, may, why}]} as JSON')
    .action(why)
}

async function who(record: string, field: string | undefined, flags: AccessFlags): Promise<void> {
  const people = await withWorkspace(flags, async (engine) => {
    const known = await listPeople(engine.services.database.read, peopleOf(engine.services))
    const told: PersonRights[] = []
    for (const { user, enabled } of known)
      if (enabled) told.push(await rightsOf(engine, user, record, field))
    return told.flatMap(({ user, rights }) => {
      const given = rights.filter(({ may }) => may)
      return given.length === 0 ? [] : [{ user, rights: given }]
    })
  })
  if (flags.json) printJson(people)
  else
    printTable(
      ['USER', 'RIGHT', 'BY'],
      people.flatMap(({ user, rights }) => rights.map(({ right, why: by }) => [user, right, by])),
      'nobody who can sign in',
    )
}

async function why(
  person: string,
  record: string,
  field: string | undefined,
  flags: AccessFlags,
): Promise<void> {
  const told = await withWorkspace(flags, (engine) => rightsOf(engine, person, record, field))
  if (flags.json) printJson(told)
  else
    printTable(
      ['RIGHT', 'MAY', 'BECAUSE'],
      told.rights.map(({ right, may, why: because }) => [right, may ? 'yes' : 'no', because]),
      'no rights',
    )
}

async function rightsOf(
  engine: Engine,
  user: string,
  record: string,
  field: string | undefined,
): Promise<PersonRights> {
  const slash = record.indexOf('/')
  if (slash < 1 || slash === record.length - 1)
    throw new UsageError(
      `expected a resource and an id such as employees/EMP-00001, got ${JSON.stringify(record)}`,
    )
  const person = await findPerson(engine.services, user)
  if (!person)
    throw new Failure(`there is nobody called ${JSON.stringify(user)}; \`svc user list\` names all`)
  const definition = resourceOf(engine, record.slice(0, slash))
  const context = engine.context(actorOf(person), await engine.tier())
  return { user, rights: await toldRights(context, definition, record.slice(slash + 1), field) }
}

import * as assert from 'uvu/assert'
import { SCOPES } from '../../engine/access/actor.ts'
import { createKey } from '../../server/auth/api-keys.ts'
import { forEachDatabaseWhenDeep } from '../helpers/databases.ts'
import { type Random, randomOf, rounds, seedsOf } from '../helpers/random.ts'
import { dumpTables } from '../helpers/tables.ts'
import { openTestApp, type TestApp, testClock } from '../server/test-app.ts'
import { addMember, send, type Verb } from './people.ts'
import {
  ACTIONS,
  type Action,
  type Caller,
  type Kept,
  may,
  mayAtAll,
  type Permissions,
  permissionsYaml,
  randomPermissions,
  TODAY,
} from './permissions-model.ts'

const SEEDS = seedsOf(import.meta.filename, [1])
const DOCTYPES = 6
const STEPS = rounds(120)
const CHECKED_EVERY = 40

const ROLES = ['All', 'Employee', 'Sales User', 'Sales Manager', 'Stock User']
const LOGINS = ['ann@example.com', 'bob@example.com', 'cem@example.com', 'dov@example.com']
const REGIONS = ['North', 'South', 'West', null]
const TITLES = ['apple berry', 'berry cedar', 'cedar 100%', 'a_b apple', 'Apple Éclair', 'x']
const AMOUNTS = [null, 0, 50, 99.99, 100, 100.01, 250]
const DUES = [null, '2026-02-28', '2026-03-01', '2026-03-02']

/** A caller with the credential that makes them one. */
interface Known extends Caller {
  readonly header: Readonly<Record<string, string>>
}

/** A DocType of the fuzz, with the model's copy of its records. */
interface Subject {
  readonly slug: string
  readonly table: string
  readonly permissions: Permissions
  readonly records: Map<string, Kept>
}

type Input = Partial<Omit<Kept, 'id' | 'owner' | 'docstatus' | 'amendment'>>

for (const seed of SEEDS)
  forEachDatabaseWhenDeep(`who may do what (seed ${seed})`, ({ test, create }) => {
    const random = randomOf(seed)
    const permissions = Array.from({ length: DOCTYPES }, () => randomPermissions(random, ROLES))
    let app: TestApp
    let callers: readonly Known[]
    let subjects: readonly Subject[]

    test.before(async () => {
      app = await openTestApp({
        database: await create(),
        doctypes: Object.fromEntries(
          permissions.map((one, n) => [`thing-${n}`, doctypeYaml(n, one)]),
        ),
        settings: { rateLimit: false },
        clock: testClock(Date.parse(`${TODAY}T12:00:00Z`)),
      })
      callers = await manyCallers(app, random)
      subjects = permissions.map((one, n) => {
        const { slug, table } = app.engine.services.registry.byDoctype(`Thing ${'ABCDEFGH'[n]}`)!
        return { slug, table, permissions: one, records: new Map() }
      })
    })
    test.after(() => app?.close())

    test(`is what their roles say, for ${STEPS} changes: else it is refused and nothing changes`, async () => {
      const seen = new Map<number, number>()
      for (let step = 0; step < STEPS; step += 1) {
        const status = await oneStep(random.one(subjects), random.one(callers))
        seen.set(status, (seen.get(status) ?? 0) + 1)
        if (step % CHECKED_EVERY === 0) for (const subject of subjects) await compareReads(subject)
      }
      for (const status of [200, 201, 403])
        assert.ok((seen.get(status) ?? 0) > 0, `no ${status} among ${JSON.stringify([...seen])}`)
    })

    test('shows in lists, counts, pages, filters and searches exactly the records that can be read one by one', async () => {
      for (const subject of subjects) await compareReads(subject, true)
    })

    /** A random change by a random caller; its status is what the model says. */
    async function oneStep(subject: Subject, caller: Known): Promise<number> {
      const actions = ACTIONS.filter((action) => action !== 'read')
      const action = subject.records.size < 6 ? 'create' : random.one(actions)
      const record = action === 'create' ? undefined : random.one([...subject.records.values()])
      const input = randomInput(random)
      const expected = expectedOf(subject, caller, action, record, input)
      const before = await tables()
      const { verb, path, body } = requestOf(subject, action, record, input)
      const answer = await send(app, verb, path, caller.header).send(body)
      const about = `${described(caller, action, subject, record, input)}: ${answer.text}`
      assert.is(answer.status, expected, about)
      if (expected >= 400) assert.equal(await tables(), before, about)
      else follow(subject, caller, action, record, input, answer.body.id)
      return answer.status
    }

    function tables(): Promise<unknown> {
      const own = new Set(subjects.map(({ table }) => table))
      return dumpTables(
        app.engine.services.database,
        (name) => own.has(name) || ['svc_events', 'svc_series', 'svc_deliveries'].includes(name),
      )
    }

    /** Each caller's lists and single reads against the model. */
    async function compareReads(subject: Subject, isThorough = false): Promise<void> {
      for (const caller of callers) {
        if (!isThorough && !random.chance(0.3)) continue
        const records = [...subject.records.values()]
        const readable = records.filter((one) => may(subject.permissions, caller, 'read', one))
        const isRefused = !mayAtAll(subject.permissions, caller, 'read')
        for (const record of isThorough ? records.slice(-8) : records.slice(0, 4)) {
          const { status, text } = await get(caller, `/${record.id}`)
          const expected = isRefused ? 403 : readable.includes(record) ? 200 : 404
          assert.is(status, expected, `${described(caller, 'read', subject, record)}: ${text}`)
        }
        for (const query of isThorough
          ? [random.one(QUERIES), random.one(QUERIES)]
          : [random.one(QUERIES)]) {
          if (isRefused) assert.is((await get(caller, `?${query.text}`)).status, 403, query.text)
          else
            assert.equal(
              await walk(caller, query.text),
              idsOf(readable.filter(query.picks)),
              `${described(caller, 'read', subject)} ?${query.text}`,
            )
        }
      }

      function get(caller: Known, rest: string) {
        return send(app, 'get', `/v1/${subject.slug}${rest}`, caller.header)
      }

      /** Ids of all pages, by cursor and by offset alike; the total is their number. */
      async function walk(caller: Known, query: string): Promise<readonly string[]> {
        const ids: string[] = []
        let cursor: string | null = null
        let total: number | undefined
        do {
          const more: string = cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`
          const { status, body, text } = await get(caller, `?limit=6&${query}${more}`)
          assert.is(status, 200, `${query}: ${text}`)
          total ??= body.meta.total
          ids.push(...body.data.map(({ id }: { id: string }) => id))
          cursor = body.next_cursor ?? null
        } while (cursor !== null)
        assert.is(total, ids.length, `the count of ?${query}`)
        const { body } = await get(caller, `?limit=100&offset=1&${query}`)
        assert.equal(
          body.data.map(({ id }: { id: string }) => id),
          ids.slice(1),
          `the pages by offset of ?${query}`,
        )
        return ids.sort()
      }
    }
  })

/** A filter and which records it picks: conditions of roles stand beside it. */
const QUERIES: readonly { readonly text: string; readonly picks: (record: Kept) => boolean }[] = [
  { text: 'sort=modified', picks: () => true },
  { text: 'sort=amount&order=asc', picks: () => true },
  { text: 'region=North&sort=title', picks: ({ region }) => region === 'North' },
  { text: 'region__ne=North', picks: ({ region }) => region !== 'North' },
  { text: 'amount__gte=100', picks: ({ amount }) => amount !== null && amount >= 100 },
  { text: 'urgent=1&order=asc', picks: ({ urgent }) => urgent },
  { text: 'q=berry', picks: ({ title }) => title.includes('berry') },
  {
    text: 'q=apple&region__in=North,South',
    picks: ({ title, region }) => /apple/i.test(title) && ['North', 'South'].includes(region ?? ''),
  },
  { text: 'docstatus__gte=1', picks: ({ docstatus }) => docstatus >= 1 },
]

function idsOf(records: readonly Kept[]): readonly string[] {
  return records.map(({ id }) => id).sort()
}

/** The status the model expects; the order of questions is that of the API: role, record, state, outcome. */
function expectedOf(
  { permissions }: Subject,
  caller: Caller,
  action: Action,
  record: Kept | undefined,
  input: Input,
): number {
  if (!mayAtAll(permissions, caller, action)) return 403
  if (record === undefined)
    return may(permissions, caller, 'create', made(caller, 'new', input)) ? 201 : 403
  if (!may(permissions, caller, 'read', record)) return 404
  if (!may(permissions, caller, action, record)) return 403
  if (!isInState(action, record)) return 409
  if (action === 'update')
    return may(permissions, caller, 'update', { ...record, ...input }) ? 200 : 403
  if (action === 'amend')
    return may(permissions, caller, 'amend', amended(caller, record)) ? 201 : 403
  return action === 'delete' ? 204 : 200
}

/** The draft that an amendment begins with. */
function amended({ name }: Caller, record: Kept): Kept {
  return { ...record, owner: name, docstatus: 0, amendment: null }
}

function isInState(action: Action, { docstatus, amendment }: Kept): boolean {
  switch (action) {
    case 'update':
    case 'submit':
      return docstatus === 0
    case 'cancel':
      return docstatus === 1
    case 'delete':
      return docstatus !== 1 && amendment === null
    case 'amend':
      return docstatus === 2 && amendment === null
    default:
      return true
  }
}

/** What a successful change makes of the model's copy. */
function follow(
  { records }: Subject,
  caller: Caller,
  action: Action,
  record: Kept | undefined,
  input: Input,
  id: string,
): void {
  if (record === undefined) records.set(id, made(caller, id, input))
  else if (action === 'update') records.set(record.id, { ...record, ...input })
  else if (action === 'submit') records.set(record.id, { ...record, docstatus: 1 })
  else if (action === 'cancel') records.set(record.id, { ...record, docstatus: 2 })
  else if (action === 'delete') {
    records.delete(record.id)
    const source = [...records.values()].find(({ amendment }) => amendment === record.id)
    if (source) records.set(source.id, { ...source, amendment: null })
  } else {
    records.set(record.id, { ...record, amendment: id })
    records.set(id, { ...amended(caller, record), id })
  }
}

function made(caller: Caller, id: string, input: Input): Kept {
  const unset = { title: '', region: null, assignee: null, amount: null, due: null, urgent: false }
  return { ...unset, ...input, id, owner: caller.name, docstatus: 0, amendment: null }
}

function randomInput(random: Random): Input {
  const all: Required<Input> = {
    title: random.one(TITLES),
    region: random.one(REGIONS),
    assignee: random.one([...LOGINS, 'ANN@example.com', 'zoé', null]),
    amount: random.one(AMOUNTS),
    due: random.one(DUES),
    urgent: random.chance(0.5),
  }
  return all
}

function requestOf({ slug }: Subject, action: Action, record: Kept | undefined, input: Input) {
  const path = record === undefined ? `/v1/${slug}` : `/v1/${slug}/${record.id}`
  const known: Partial<Record<Action, { verb: Verb; path: string; body?: object }>> = {
    create: { verb: 'post', path, body: input },
    update: { verb: 'patch', path, body: input },
    delete: { verb: 'delete', path },
  }
  const request = known[action] ?? { verb: 'post' as const, path: `${path}/${action}` }
  return { body: undefined, ...request }
}

function described(
  { login, roles, scope }: Caller,
  action: Action,
  { slug, permissions }: Subject,
  record?: Kept,
  input?: Input,
): string {
  const who = `${login} (${roles.join(', ') || 'no role'}; ${scope})`
  return `${who} ${action} ${slug} ${JSON.stringify(record)} ${JSON.stringify(input)}\n${permissionsYaml(permissions)}\n`
}

/** People with roles at random, and for each the pair of surface A and keys of every scope. */
async function manyCallers(app: TestApp, random: Random): Promise<readonly Known[]> {
  const callers: Known[] = []
  for (const [index, login] of LOGINS.entries()) {
    const roles =
      index === 0 ? ['System Manager'] : ROLES.slice(1).filter(() => random.chance(index / 4))
    const { authorization } = await addMember(app, login, roles)
    callers.push({ login, name: login, roles, scope: 'admin', header: { authorization } })
    for (const scope of SCOPES) {
      const { database, clock } = app.engine.services
      const actor = { name: login, user: { login, email: login } }
      const wanted = { scope, env: 'live', label: null, allow_ips: [], expires: null } as const
      const { key } = await database.write((tx) => createKey(tx, clock, actor, wanted))
      const known = { login, name: login, roles, scope, header: { 'x-api-key': key } }
      if (index > 0 && random.chance(0.6)) callers.push(known)
    }
  }
  return callers
}

function doctypeYaml(n: number, permissions: Permissions): string {
  const name = `Thing ${'ABCDEFGH'[n]}`
  return `
doctype: ${name}
module: crm
tier: ${permissions.tier}
submittable: true
naming: "T${n}-{####}"
search: [title]
fields:
  title: {type: data, required: true, filterable: true}
  region: {type: select, options: [North, South, West], filterable: true}
  assignee: {type: data, filterable: true}
  amount: {type: currency, filterable: true}
  due: {type: date, filterable: true}
  urgent: {type: check, filterable: true}
${permissionsYaml(permissions)}
`
}

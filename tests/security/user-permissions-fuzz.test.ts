import * as assert from 'uvu/assert'
import { forEachDatabaseWhenDeep } from '../helpers/databases.ts'
import { randomOf, rounds, seedsOf } from '../helpers/random.ts'
import { openTestApp, type TestApp } from '../server/test-app.ts'
import { addMember, send, type Verb } from './people.ts'
import {
  DOCTYPES,
  isSeen,
  type Kept,
  namedBy,
  type Permission,
  randomRecord,
  withDefaults,
  ZONES,
} from './user-permissions-model.ts'

const SEEDS = seedsOf(import.meta.filename, [1])
const STEPS = rounds(25)
const LOGINS = ['ann@example.com', 'bob@example.com', 'cem@example.com', 'mia@example.com']
/** A System Manager: permissions are made for her too, and limit nothing. */
const MANAGER = 'mia@example.com'
const SLUGS: Readonly<Record<string, string>> = { Zone: 'zones', Shop: 'shops', Deal: 'deals' }

for (const seed of SEEDS)
  forEachDatabaseWhenDeep(`user permissions (seed ${seed})`, ({ test, create }) => {
    const random = randomOf(seed)
    const records = new Map<string, Map<string, Kept>>()
    const headers = new Map<string, Readonly<Record<string, string>>>()
    let permissions: Permission[] = []
    let app: TestApp

    test.before(async () => {
      app = await openTestApp({
        database: await create(),
        tier: 'business',
        doctypes: DOCTYPES,
        settings: { rateLimit: false },
      })
      for (const login of LOGINS) {
        const roles = ['Sales User', ...(login === MANAGER ? ['System Manager'] : [])]
        headers.set(login, { authorization: (await addMember(app, login, roles)).authorization })
      }
      for (const doctype of Object.keys(SLUGS)) records.set(doctype, new Map())
      for (const [title, parent_zone] of Object.entries(ZONES)) {
        await asAdmin('post', '/v1/zones', { title, parent_zone })
        recordsOf('Zone').set(title, { id: title, title, parent_zone })
      }
      for (let n = 0; n < 6; n += 1) {
        const body = randomRecord(random, 'Shop', [...recordsOf('Shop').keys(), null as never])
        const { id } = (await asAdmin('post', '/v1/shops', body)).body
        recordsOf('Shop').set(id, { ...body, id } as Kept)
      }
    })
    test.after(() => app?.close())

    const recordsOf = (doctype: string): Map<string, Kept> => records.get(doctype)!
    const limitsOf = (login: string): readonly Permission[] =>
      login === MANAGER ? [] : permissions.filter(({ user }) => user === login)
    const seenBy = (login: string, doctype: string, record: Kept): boolean =>
      isSeen(limitsOf(login), doctype, record)
    const as = (login: string, verb: Verb, path: string, body?: object) =>
      send(app, verb, path, headers.get(login)!).send(body)

    async function asAdmin(verb: Verb, path: string, body?: object) {
      const answer = await send(app, verb, path, { 'x-api-key': app.keys.admin }).send(body)
      assert.ok(answer.status < 300, `${path}: ${answer.text}`)
      return answer
    }

    test(`show and let change what they name, and what names nothing, through ${STEPS} changes`, async () => {
      const seen = new Map<number, number>()
      let hidden = 0
      for (let n = 0; n < 8; n += 1) await changePermissions()
      for (let step = 0; step < STEPS; step += 1) {
        if (random.chance(0.25)) await changePermissions()
        const login = random.one(LOGINS)
        const status = await oneChange(login, random.one(['Shop', 'Deal', 'Deal']))
        seen.set(status, (seen.get(status) ?? 0) + 1)
        if (random.chance(0.4)) await compareReads(random.one(LOGINS))
        for (const one of LOGINS) hidden += await compareReports(one)
      }
      for (const kind of [2, 4])
        assert.ok(
          [...seen.keys()].some((status) => Math.floor(status / 100) === kind),
          `no ${kind}xx among ${JSON.stringify([...seen])}`,
        )
      console.log(`  titles kept from readers of reports: ${hidden}`)
    })

    /** Counts at once: the next request knows of it. */
    async function changePermissions(): Promise<void> {
      const gone = permissions.length > 5 ? random.one(permissions) : undefined
      if (gone) {
        await asAdmin('delete', `/v1/user-permissions/${gone.id}`)
        permissions = permissions.filter((one) => one !== gone)
        return
      }
      const allow = random.one(['Zone', 'Shop', 'Deal'])
      const names = [...recordsOf(allow).keys()]
      if (names.length === 0) return
      const about = random.one(['Shop', 'Deal', null, null])
      const made = {
        user: random.one(LOGINS),
        allow,
        value: random.one(names),
        applicableFor: about === allow || (allow === 'Deal' && about === 'Shop') ? null : about,
        isDefault: random.chance(0.3),
        isAlone: random.chance(0.3),
      }
      if (permissions.some((one) => isAlike(one, made))) return
      const { id } = (
        await asAdmin('post', '/v1/user-permissions', {
          user: made.user,
          allow,
          for_value: made.value,
          applicable_for: made.applicableFor,
          is_default: made.isDefault,
          hide_descendants: made.isAlone,
        })
      ).body
      permissions.push({ ...made, id })
    }

    /** A change by somebody; its status is what the model says. */
    async function oneChange(login: string, doctype: string): Promise<number> {
      const all = [...recordsOf(doctype).values()]
      const verb =
        doctype === 'Deal' && random.chance(0.15)
          ? 'delete'
          : all.length < 5 || random.chance(0.4)
            ? 'post'
            : 'patch'
      if (verb === 'delete' && all.length === 0) return 0
      const before = verb === 'post' ? undefined : random.one(all)
      const values = randomRecord(random, doctype, [...recordsOf('Shop').keys()])
      const after =
        before === undefined
          ? withDefaults(limitsOf(login), doctype, { ...values, id: 'new' } as Kept)
          : ({ ...before, ...values } as Kept)
      const named = permissions.some(
        ({ allow, value }) => allow === doctype && value === before?.id,
      )
      const expected = expectedOf(login, doctype, verb, before, after, named)
      const path = `/v1/${SLUGS[doctype]}${before ? `/${before.id}` : ''}`
      const answer = await as(login, verb, path, verb === 'delete' ? undefined : values)
      const about = `seed ${seed} ${login} ${verb} ${path} ${JSON.stringify(values)}\nbefore ${JSON.stringify(before)}\n${JSON.stringify(limitsOf(login))}\n${answer.text}`
      assert.is(answer.status, expected, about)
      if (expected === 204) recordsOf(doctype).delete(before!.id)
      else if (expected < 300) {
        const { id } = answer.body
        for (const field of Object.keys(values))
          assert.is(answer.body[field], after[field], `${field}: ${about}`)
        recordsOf(doctype).set(id, { ...after, id } as Kept)
      }
      return expected
    }

    function expectedOf(
      login: string,
      doctype: string,
      verb: Verb,
      before: Kept | undefined,
      after: Kept,
      isNamed: boolean,
    ): number {
      if (before && !seenBy(login, doctype, before)) return 404
      if (verb === 'delete') return isNamed ? 409 : 204
      const isHidden = ([target, name]: readonly [string, string]): boolean =>
        !seenBy(login, target, recordsOf(target).get(name)!)
      if (namedBy(doctype, after, before).some(isHidden)) return 422
      // A new record has no name yet that permissions of its own DocType could name.
      if (!seenBy(login, doctype, after)) return 403
      return before ? 200 : 201
    }

    /** Everything somebody is shown, against the model. */
    async function compareReads(login: string): Promise<void> {
      const about = (): string => `seed ${seed} ${login} ${JSON.stringify(limitsOf(login))}`
      for (const [doctype, slug] of Object.entries(SLUGS)) {
        const all = [...recordsOf(doctype).values()]
        const seen = all.filter((record) => seenBy(login, doctype, record))
        const query = random.one(['', '&q=apple', '&zone=Spain', '&sort=modified&order=asc'])
        if (query.includes('zone') && doctype === 'Zone') continue
        const picked = seen.filter(({ title, zone }) => {
          if (query.includes('apple')) return title === 'apple'
          return !query.includes('zone') || zone === 'Spain'
        })
        const { body } = await as(login, 'get', `/v1/${slug}?limit=100&_titles=1${query}`)
        const ids = body.data.map(({ id }: Kept) => id).sort()
        assert.equal(ids, picked.map(({ id }) => id).sort(), `${slug}?${query} ${about()}`)
        assert.is(body.meta.total, picked.length, `total of ${slug}?${query} ${about()}`)
        for (const row of body.data) compareTitles(login, doctype, row)
        const record = all.length === 0 ? undefined : random.one(all)
        if (!record) continue
        const { status } = await as(login, 'get', `/v1/${slug}/${record.id}`)
        assert.is(status, seen.includes(record) ? 200 : 404, `${slug}/${record.id} ${about()}`)
        const old = `/api/resource/${doctype}?filters=${encodeURIComponent(JSON.stringify([['name', '=', record.id]]))}`
        const found = (await as(login, 'get', old)).body.data
        assert.is(found.length, seen.includes(record) ? 1 : 0, `${old} ${about()}`)
        const isLimited = limitsOf(login).some(
          ({ allow, applicableFor }) =>
            (applicableFor ?? doctype) === doctype &&
            (allow === doctype || doctype === 'Deal' || (doctype === 'Shop' && allow === 'Zone')),
        )
        const events = await as(login, 'get', `/v1/events?resource=${slug}&limit=1`)
        if (isLimited) assert.equal(events.body.data, [], `events ${about()}`)
      }
    }

    /** Reports add up what the lists show, and look through links at what they may. */
    async function compareReports(login: string): Promise<number> {
      const about = `seed ${seed} ${login} ${JSON.stringify(limitsOf(login))}`
      const seen = [...recordsOf('Deal').values()].filter((deal) => seenBy(login, 'Deal', deal))
      const titleOf = (shop: string | null | undefined): string | null => {
        const record = recordsOf('Shop').get(shop ?? '')
        return record && seenBy(login, 'Shop', record) ? record.title : null
      }
      const rows = (await as(login, 'get', '/v1/reports/deal-list?limit=1000')).body
      assert.equal(
        rows.data.map(({ deal, title }: Kept) => [deal, title]),
        seen
          .map((deal) => [deal.id, titleOf(deal.shop)])
          .toSorted((a, b) => (a[0]! < b[0]! ? -1 : 1)),
        about,
      )
      const counted = (await as(login, 'get', '/v1/reports/deal-count')).body
      assert.is(counted.totals.deals, seen.length, about)
      for (const { shop, title } of counted.data)
        assert.is(title, titleOf(shop), `${shop} ${about}`)
      return seen.filter((deal) => deal.shop && titleOf(deal.shop) === null).length
    }

    /** Nobody is told the title of what they may not see. */
    function compareTitles(login: string, doctype: string, row: Kept): void {
      const titles = (row as unknown as { _titles: Record<string, string> })._titles
      for (const [target, name] of namedBy(doctype, row)) {
        if (target !== 'Shop') continue
        const { title } = recordsOf('Shop').get(name)!
        const isShown = seenBy(login, 'Shop', recordsOf('Shop').get(name)!)
        const fields = Object.keys(titles).filter((field) => row[field] === name)
        assert.is(fields.length > 0, isShown, `seed ${seed} title of ${name} for ${login}`)
        for (const field of fields) assert.is(titles[field], title)
      }
    }
  })

function isAlike(one: Permission, other: Omit<Permission, 'id'>): boolean {
  return (
    one.user === other.user &&
    one.allow === other.allow &&
    one.value === other.value &&
    one.applicableFor === other.applicableFor
  )
}

import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { servedBackups } from '../../cli/backup/served-backups.ts'
import { createLogger } from '../../server/observe/logger.ts'
import { readSettings } from '../../server/settings/settings.ts'
import { routesOf } from './matrix-routes.ts'
import { addPeople, type Principal, principals } from './principals.ts'
import { openWatched, type Watched } from './workspace.ts'

/*
 * Routes × callers of `/v1/backups`, which are there only where a server runs by itself: a backup holds everything,
 * so nobody but who looks after the workspace gets anywhere near one.
 */

/** Every route; `:id` is that of a backup that is there. */
const ROUTES = [
  'GET /v1/backups',
  'POST /v1/backups',
  'POST /v1/backups/everything',
  'GET /v1/backups/:id',
  'DELETE /v1/backups/:id',
  'GET /v1/backups/:id/file',
  'POST /v1/backups/:id/restore',
] as const

/** Answer to each kind of caller (`matrix.ts`); `in` for who gets in. */
const ANSWERS: Readonly<Record<string, 401 | 403 | 'in'>> = {
  guest: 401,
  bad: 401,
  away: 403,
  plain: 403,
  role: 403,
  boss: 'in',
  demo: 'in',
  read: 403,
  write: 403,
  admin: 'in',
  rkey: 403,
  paged: 'in',
}

/** Names that reach for another file, as they stand in a path. */
const HOSTILE = [
  '..%2Fsecret.key',
  '..%2F..%2Fetc%2Fpasswd',
  '%2e%2e%2Fsecret.key',
  '..%5Csecret.key',
  '%2Fetc%2Fpasswd',
  'secret.key',
  'state.json',
  'workspace-20260101T000000000.backup%00',
  'workspace-20260101T000000000.backup%2F..%2F..%2Fsecret.key',
  'workspace-20260101T000000000.backup.123.partial',
  '....%2F%2Fsecret.key',
  '%252e%252e%252fsecret.key',
]

const ID = 'workspace-20260101T000000000.backup'

const test = suite('backups')

let data: string
let watched: Watched
let callers: readonly Principal[]

test.before(async () => {
  data = mkdtempSync(join(tmpdir(), 'svc-backups-'))
  const settings = readSettings({ SVC_DATA: data }).settings
  const never = async (): Promise<void> => assert.unreachable('the workspace was let go of')
  const backups = servedBackups({
    settings,
    logger: createLogger({ level: 'silent' }),
    standing: { pause: never, resume: never },
    onLost: never,
  })
  watched = await openWatched({ backups })
  await addPeople(watched)
  callers = await principals(watched)
  writeFileSync(join(data, 'secret.key'), 'a secret')
})
test.after(async () => {
  await watched.close()
  rmSync(data, { recursive: true, force: true })
})

test('have a line here for every route', () => {
  const { routes } = routesOf(watched.app.app)
  assert.equal(
    routes.filter((route) => route.includes('/v1/backups')).toSorted(),
    [...ROUTES].toSorted(),
  )
})

test('are for who looks after the workspace alone, by every route', async () => {
  const wrong: string[] = []
  for (const route of ROUTES)
    for (const { group, name, headers, address } of callers) {
      const [method = '', path = ''] = route.split(' ')
      const isRead = method === 'GET'
      // A page of others sends no session by a change, and reads nothing of an answer.
      const expected = ANSWERS[group] ?? (isRead ? 'in' : 403)
      if (expected === 'in' && !isRead && !path.includes(':id')) continue
      const sent = address === undefined ? { headers } : { headers, address }
      if (route === 'POST /v1/backups') {
        const bytes = { ...headers, 'content-type': 'application/octet-stream' }
        const brought = await watched.send(method, path, { ...sent, headers: bytes, body: 'bytes' })
        if (brought.status !== expected)
          wrong.push(`${route} of bytes, ${group} ${name}: ${brought.status}`)
      }
      const { status } = await watched.send(method, path.replace(':id', ID), sent)
      const allowed = path === '/v1/backups' ? 200 : 404
      if (status !== (expected === 'in' ? allowed : expected))
        wrong.push(`${route}, ${group} ${name}: ${status}`)
    }
  assert.equal(wrong, [])
  assert.equal(readdirSync(data), ['secret.key'], 'nothing was made')
})

test('reach no other file, whatever the name', async () => {
  const headers = { 'x-api-key': watched.app.keys.admin }
  for (const route of ROUTES.filter((one) => one.includes(':id')))
    for (const id of HOSTILE) {
      const [method = '', path = ''] = route.split(' ')
      const { status, text } = await watched.send(method, path.replace(':id', id), { headers })
      assert.ok([400, 404].includes(status), `${method} ${path} ${id}: ${status}`)
      assert.not.match(text, 'a secret')
    }
  assert.equal(readdirSync(data), ['secret.key'])
})

test.run()

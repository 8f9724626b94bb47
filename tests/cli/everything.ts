import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import supertest from 'supertest'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { type OpenWorkspace, openWorkspace, workspaceOf } from '../../cli/workspace.ts'

import { readSettings } from '../../server/settings/settings.ts'
import { createTestDatabase, type TestDatabaseKind } from '../helpers/databases.ts'
import { prepareStarted } from '../helpers/prepared-start.ts'
import { type Canary, escaped } from '../security/canaries.ts'
import { appOver, testClock } from '../server/test-app.ts'
import { runHere } from './in-process.ts'
import { type Folder, readFirstRun, temporaryFolder } from './process.ts'

/** A kind of record of somebody's own, with a secret. */
const VAULT = `doctype: Vault
module: setup
tier: free
naming: VAULT-{#####}
fields:
  title: {type: data, required: true}
  pin: {type: password}
  keys: {type: table, options: Vault Key}
`
const VAULT_KEY = `doctype: Vault Key
module: setup
tier: free
child: true
fields:
  place: {type: data}
  code: {type: password}
`

const PIN = 'canary-pin-of-a-vault-7Q2'
const CODE = 'canary-code-of-a-key-9X4'

/** Reads a zip without any code of ours: names with their texts, bytes as Latin-1. */
const READ = `
import json, sys, zipfile
z = zipfile.ZipFile(sys.argv[1])
assert z.testzip() is None
json.dump({n: z.read(n).decode('latin-1') for n in z.namelist()}, sys.stdout)
`

/** Takes everything of a workspace on a database of this kind, and compares it with what is there. */
export function takesEverything(kind: TestDatabaseKind): void {
  const test = suite(`everything of a workspace on ${kind}`)
  let folder: Folder
  let data: string
  let created: Awaited<ReturnType<typeof createTestDatabase>>
  let env: Readonly<Record<string, string>>
  let open: OpenWorkspace | undefined
  let canaries: Canary[]
  let zip: Readonly<Record<string, string>>

  test.before(async () => {
    folder = temporaryFolder()
    data = join(folder.path, 'data')
    created = await createTestDatabase(kind)
    const { database } = created
    const place = database.kind === 'postgres' ? database : undefined
    await prepareStarted(data, place)
    mkdirSync(join(data, 'doctypes'), { recursive: true })
    writeFileSync(join(data, 'doctypes', 'vault.yaml'), VAULT)
    writeFileSync(join(data, 'doctypes', 'vault-key.yaml'), VAULT_KEY)
    env = {
      SVC_DATA: data,
      SVC_SECRET_KEY: Buffer.alloc(32, 7).toString('base64'),
      ...(place ? { SVC_DATABASE_URL: place.url } : {}),
    }
    open = await openWorkspace(workspaceOf(readSettings(env).settings))
    canaries = await filled(open, data)
    const taken = await runHere(['export', join(folder.path, 'all.zip'), '--json'], env)
    assert.is(taken.code, 0, taken.stderr)
    const { files, definitions } = JSON.parse(taken.stdout)
    assert.equal([files, definitions], [1, 2])
    const read = execFileSync('python3', ['-c', READ, join(folder.path, 'all.zip')], {
      maxBuffer: 256 * 1024 * 1024,
    })
    zip = JSON.parse(read.toString())
  })
  test.after(async () => {
    await open?.engine.close()
    await created.remove()
    folder.remove()
  })

  test('is every record and every row of every kind, in both forms', async () => {
    const { services } = open!.engine
    const wrong: string[] = []
    for (const definition of services.registry.all) {
      const { table, children } = services.partsOf(definition).store.plan
      const count = async (name: string): Promise<number> => {
        const { rows } = await sql<{
          n: number
        }>`select count(*) as n from ${sql.table(name)}`.execute(services.database.read)
        return Number(rows[0]?.n)
      }
      const lines = (zip[`records/${definition.slug}.jsonl`] ?? '').split('\n').filter(Boolean)
      const records = lines.map((line) => JSON.parse(line) as Record<string, unknown>)
      if (records.length !== (await count(table)))
        wrong.push(`${definition.slug}: ${records.length} records`)
      if (records.length > 0 && !zip[`records/${definition.slug}.csv`]?.startsWith('id,name,'))
        wrong.push(`${definition.slug}: no table`)
      for (const child of children) {
        if (definition.fields.find(({ name }) => name === child.field)?.internal) continue
        const rows = records.reduce((sum, one) => sum + (one[child.field] as unknown[]).length, 0)
        if (rows !== (await count(child.table)))
          wrong.push(`${definition.slug}.${child.field}: ${rows}`)
      }
    }
    assert.equal(wrong, [])
    assert.ok((zip['records/countries.jsonl'] ?? '').split('\n').length > 200)
  })

  test('is the files as they are, the definitions, and words on what is what', () => {
    const names = Object.keys(zip)
    const [file] = names.filter((name) => name.startsWith('files/'))
    assert.match(file ?? '', /^files\/[^/]+\/report_ 2026\.txt$|^files\/[^/]+\/report.*\.txt$/)
    assert.is(zip[file ?? ''], 'what was attached')
    assert.is(zip['definitions/own/vault.yaml'], VAULT)
    assert.match(zip['README.txt'] ?? '', 'What is left out')
    assert.match(zip['resources.csv'] ?? '', /vaults,Vaults,setup,1,1,records\/vaults\.csv/)
    assert.match(zip['fields.csv'] ?? '', /vaults,keys\.place,Place,data/)
    for (const name of names) assert.not.match(name, /(^|\/)\.\.(\/|$)|^\/|\\/)
  })

  test('holds no secret, as it is or in any encoding', () => {
    assert.ok(canaries.length > 8, String(canaries.length))
    const seen = Object.entries(zip).map(([place, text]) => ({ place, text }))
    assert.equal(escaped(canaries, seen), [])
    assert.not.match(zip['records/vaults.csv'] ?? '', 'pin')
  })

  test('replaces no file unless it is told to', async () => {
    const file = join(folder.path, 'all.zip')
    const before = readFileSync(file)
    const again = await runHere(['export', file], env)
    assert.is(again.code, 1)
    assert.match(again.stderr, 'is there already')
    assert.ok(readFileSync(file).equals(before))
    const wrong = await runHere(['export', file, '--format', 'csv'], env)
    assert.is(wrong.code, 2)
  })

  test.run()
}

/** Puts a file, secrets of every kind and people into a workspace; gives the secrets. */
async function filled({ engine, secretKey }: OpenWorkspace, data: string): Promise<Canary[]> {
  const first = readFirstRun(data)
  const served = await appOver(engine, { clock: testClock(Date.now()), secretKey, data })
  const ask = supertest(served.app)
  const key = { 'x-api-key': first.admin_key }
  const done = async (path: string, body: object): Promise<Record<string, unknown>> => {
    const answer = await ask.post(path).set(key).send(body)
    assert.is(answer.status, 201, JSON.stringify(answer.body))
    return answer.body
  }
  await done('/v1/vaults', { title: 'Safe', pin: PIN, keys: [{ place: 'Drawer', code: CODE }] })
  await done('/v1/users', { email: 'ann@example.com', full_name: 'Ann' })
  const hook = await done('/v1/webhooks', { url: 'https://example.com/hook', events: ['*'] })
  const file = await ask
    .post('/v1/files')
    .set(key)
    .attach('file', Buffer.from('what was attached'), 'report: 2026.txt')
  assert.is(file.status, 201, JSON.stringify(file.body))
  const stored = async (table: string, columns: readonly string[]): Promise<string[]> => {
    const { rows } = await sql<Record<string, unknown>>`select * from ${sql.table(table)}`.execute(
      engine.services.database.read,
    )
    return rows
      .flatMap((row) => columns.map((name) => row[name]))
      .filter((one) => typeof one === 'string')
  }
  const values = [
    ...[first.admin_key, first.password, PIN, CODE, secretKey.toString('base64')],
    String(hook.secret),
    ...(await stored('svc_accounts', ['password'])),
    ...(await stored('svc_api_keys', ['hash'])),
    ...(await stored('svc_webhooks', ['secrets'])),
    ...(await stored('vaults', ['pin'])),
  ]
  return values
    .filter((value) => value.length >= 8 && value !== 'undefined')
    .map((value, at) => ({ name: `secret ${at}`, value, shownIn: [] }))
}

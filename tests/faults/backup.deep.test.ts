import { chmodSync, existsSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import * as assert from 'uvu/assert'
import type { WorkspaceFlags } from '../../cli/workspace.ts'
import { locateWorkspace, openWorkspace } from '../../cli/workspace.ts'
import { SYSTEM_ACTOR } from '../../engine/access/actor.ts'
import { listDocuments } from '../../engine/documents/lists/list.ts'
import { getDocument } from '../../engine/documents/operations/get.ts'
import { verifyWorkspace } from '../../engine/documents/verify/verify.ts'
import { type Engine, openDatabase } from '../../engine/index.ts'
import { checkBackup } from '../../engine/storage/backup/check.ts'
import { runSql } from '../../engine/storage/database/statements.ts'
import { readListQuery } from '../../server/http/list-params.ts'
import { openSecrets } from '../../webhooks/signing/secrets.ts'
import { allWebhooks } from '../../webhooks/store.ts'
import { eventually, type Finished, launch, type Running, svc } from '../cli/process.ts'
import { forEachDatabaseWhenDeep } from '../helpers/databases.ts'
import { isDeepRun, randomOf, rounds, seedsOf } from '../helpers/random.ts'
import { openScene, type Scene } from './scene.ts'

/** Kills at moments by chance, beside the one in the middle of it. */
const BY_CHANCE = isDeepRun() ? rounds(2) : 0
const KEY = Buffer.alloc(32, 9)
const ENV = { SVC_SECRET_KEY: KEY.toString('base64') }
const OWN = 'doctype: Own Thing\nmodule: setup\ntier: free\nfields:\n  title: {type: data}\n'

const SEEDS = seedsOf(import.meta.filename, [1])

/** What somebody was told is there: at least this far it has come. */
interface Told {
  readonly doctype: string
  readonly id: string
  readonly docstatus: number
  readonly modified: string
}

for (const seed of SEEDS)
  forEachDatabaseWhenDeep(
    `a backup that is taken while a server writes (seed ${seed})`,
    ({ test, create, kind }) => {
      let scene: Scene
      let folder: string
      let file: string
      let flags: WorkspaceFlags
      const moved: Told[] = []
      let told: readonly Told[] = []

      test.before(async () => {
        scene = await openScene({ kind, seed }, () => [
          { name: 'all', events: ['*'], reply: () => ({ status: 200, afterMs: 0 }) },
        ])
        folder = dirname(scene.workspace.doctypes)
        file = join(folder, 'workspace.backup')
        const target = await create()
        flags = {
          data: join(folder, 'elsewhere'),
          ...(target.kind === 'postgres' ? { database: target.url } : {}),
        }
        writeFileSync(join(scene.workspace.doctypes, 'own-thing.yaml'), OWN)
        chmodSync(join(scene.workspace.doctypes, 'own-thing.yaml'), 0o640)
      })
      test.after(() => scene.close())

      test('is whole', async () => {
        const { crew, workspace } = scene
        let isMoving = true
        const moving = moveStock(() => isMoving)
        crew.start()
        await eventually(() => crew.acknowledged.length >= 30 && moved.length >= 3)
        told = [...moved, ...acknowledged()]
        const { code, stdout, stderr } = await workspace.command('backup', file, '--json')
        const during = crew.acknowledged.length
        isMoving = false
        await Promise.all([crew.stop(), moving])
        assert.is(code, 0, stderr)
        assert.ok(during > told.length, 'nothing was written meanwhile')
        assert.match(stderr, /^the secret key is not in it: keep SVC_SECRET_KEY elsewhere/)
        const summary = JSON.parse(stdout) as Record<string, unknown>
        assert.equal([summary.file, summary.kind, summary.files], [file, kind, 1])
        assert.is(statSync(file).mode & 0o777, 0o600)
      })

      test('restores elsewhere with all that was answered before it began, and nothing by halves', async () => {
        const restored = await restore()
        assert.is(restored.code, 0, restored.stderr)
        const { engine } = await openWorkspace(locate())
        try {
          const { checks } = await verifyWorkspace(engine.services)
          assert.equal(
            checks.filter(({ differences }) => differences > 0),
            [],
          )
          for (const one of told) await assertThere(engine, one)
          await assertEventsOfAll(engine)
          const [item] = told.filter(({ doctype }) => doctype === 'Item')
          assert.equal(await found(engine, item?.id ?? ''), [item?.id])
          const hook = (await allWebhooks(engine.services.database.read))[0]
          assert.ok(hook)
          const [secret] = openSecrets(KEY, hook.id, hook.secrets)
          assert.is(secret?.secret, scene.hooks[0]?.secret)
          assert.ok(engine.services.registry.byDoctype('Own Thing'), 'its own DocType is there')
          const own = join(String(flags.data), 'doctypes/own-thing.yaml')
          assert.is(statSync(own).mode & 0o777, 0o640)
          const busy = await restore('--force')
          assert.is(busy.code, 1)
          const why =
            kind === 'sqlite' ? /another process has .* open/ : /connected to .*: svc \(\d+\);/
          assert.match(busy.stderr, why)
          assert.ok(existsSync(own))
        } finally {
          await engine.close()
        }
      })

      test('killed leaves the file from before, or a whole new one', async () => {
        const random = randomOf(seed)
        const target = join(folder, 'again.backup')
        const begun = (): boolean => readdirSync(folder).some((name) => name.includes('.partial'))
        for (const moment of momentsIn(begun, () => random.below(1500))) {
          await kill(scene.workspace.launchCommand('backup', target, '--force'), moment)
          if (existsSync(target)) await check(target)
        }
        // What a kill leaves is a matter of luck; of a process that is gone, none of these may stay.
        for (const ending of ['', '-journal', '-wal', '-shm'])
          writeFileSync(`${target}.4194305.partial${ending}`, '')
        const { code } = await scene.workspace.command('backup', target, '--force')
        assert.is(code, 0)
        await check(target)
        assert.equal(
          readdirSync(folder).filter((name) => name.includes('.partial')),
          [],
        )
      })

      test('restored over another and killed leaves one of both, and can be done again', async () => {
        const random = randomOf(seed + 1)
        const begun = (): boolean => existsSync(join(String(flags.data), 'restore.json'))
        for (const moment of momentsIn(begun, () => 200 + random.below(1000))) {
          // Each puts in order first what the one before it left.
          await kill(launch(['restore', file, '--force', ...flagsOf()], ENV), moment)
          await eventually(async () => !(await isConnected()))
        }
        const restored = await restore('--force')
        assert.is(restored.code, 0, restored.stderr)
        assert.not.ok(existsSync(join(String(flags.data), 'restore.json')))
        const database = await openDatabase(locate().database)
        try {
          const rows = await runSql<{ name: string }>(
            database.read,
            'select name from items union select name from sales_invoices union select name from stock_entries',
            [],
          )
          const names = new Set(rows.map(({ name }) => name))
          assert.equal(
            told.filter(({ id }) => !names.has(id)),
            [],
          )
        } finally {
          await database.close()
        }
      })

      /** Receipts of stock, each made and submitted. */
      async function moveStock(goesOn: () => boolean): Promise<void> {
        const { call } = scene
        await call('POST', '/v1/tiers/pro/subscribe', {})
        const nut = { item_code: 'NUT', item_name: 'Nut', is_stock_item: true }
        await call('POST', '/v1/items', nut)
        while (goesOn()) {
          const entry = await call<{ id: string }>('POST', '/v1/stock-entries', {
            stock_entry_type: 'Material Receipt',
            to_warehouse: 'Stores',
            items: [{ item_code: 'NUT', qty: 3, basic_rate: 1.25 }],
          })
          const done = await call<Told>('POST', `/v1/stock-entries/${entry.id}/submit`)
          moved.push({
            doctype: 'Stock Entry',
            id: entry.id,
            docstatus: 1,
            modified: done.modified,
          })
        }
      }

      function acknowledged(): Told[] {
        return scene.crew.documents.flatMap(({ resource, record }) =>
          record
            ? [
                {
                  doctype: resource === 'items' ? 'Item' : 'Sales Invoice',
                  id: String(record.id),
                  docstatus: Number(record.docstatus ?? 0),
                  modified: String(record.modified),
                },
              ]
            : [],
        )
      }

      function restore(...more: string[]): Promise<Finished> {
        return svc(['restore', file, ...flagsOf(), ...more], ENV)
      }

      function flagsOf(): string[] {
        return Object.entries(flags).flatMap(([name, value]) => [`--${name}`, String(value)])
      }

      function locate(): ReturnType<typeof locateWorkspace> {
        return { ...locateWorkspace(flags), secretKey: KEY }
      }

      async function check(backup: string): Promise<void> {
        const { rows } = await checkBackup(backup, 'svc 99.0.0')
        assert.ok((rows.items ?? 0) > 0)
      }

      /** Whether the database still knows of the process that was killed. */
      async function isConnected(): Promise<boolean> {
        if (flags.database === undefined) return false
        const rows = await scene.workspace.rows(
          `select 1 from pg_stat_activity where datname = '${new URL(flags.database).pathname.slice(1)}'`,
        )
        return rows.length > 0
      }
    },
  )

/** When it is killed: as soon as this is so, or after so many ms. */
type Moment = number | (() => boolean)

/** In the middle of it, and a few by chance. */
function momentsIn(begun: () => boolean, chance: () => number): readonly Moment[] {
  return [begun, ...Array.from({ length: BY_CHANCE }, chance)]
}

/** Kills a process at a moment, if it has not come to its end before. */
async function kill(running: Running, moment: Moment): Promise<void> {
  let hasEnded = false
  void running.ended.then(() => {
    hasEnded = true
  })
  if (typeof moment === 'number') await Promise.race([sleep(moment), running.ended])
  else while (!hasEnded && !moment()) await sleep(1)
  await running.end('SIGKILL')
}

async function assertThere(
  engine: Engine,
  { doctype, id, docstatus, modified }: Told,
): Promise<void> {
  const definition = engine.services.registry.byDoctype(doctype)
  assert.ok(definition)
  const { record } = await getDocument(engine.context(SYSTEM_ACTOR, 'business'), definition, id)
  assert.ok(Number(record.docstatus ?? 0) >= docstatus, `${id} is ${record.docstatus}`)
  assert.ok(String(record.modified) >= modified, `${id} is of ${record.modified}, not ${modified}`)
}

/** A record and the event of its making are one change. */
async function assertEventsOfAll(engine: Engine): Promise<void> {
  const { read } = engine.services.database
  for (const [table, resource] of [
    ['sales_invoices', 'sales-invoices'],
    ['stock_entries', 'stock-entries'],
  ]) {
    const rows = await runSql<{ name: string }>(read, `select name from ${table}`, [])
    const events = await runSql<{ name: string }>(
      read,
      `select record_id as name from svc_events where event = '${resource}.created'`,
      [],
    )
    const names = (list: readonly { name: string }[]): string[] =>
      list.map(({ name }) => name).sort()
    assert.equal(names(rows), names(events), table)
    assert.ok(rows.length > 0, table)
  }
}

async function found(engine: Engine, q: string): Promise<unknown[]> {
  const definition = engine.services.registry.byDoctype('Item')
  assert.ok(definition)
  const query = readListQuery(engine.services, definition, [['q', q]])
  const { data } = await listDocuments(engine.context(SYSTEM_ACTOR, 'business'), definition, query)
  return data.map(({ id }) => id).filter((id) => id === q)
}

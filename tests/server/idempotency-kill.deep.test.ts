import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { systemClock } from '../../engine/base/clock.ts'
import { createKey } from '../../server/auth/api-keys.ts'
import { openPrepared } from '../helpers/prepared.ts'

const test = suite('idempotency of a killed process')
let folder = ''
test.before.each(() => {
  folder = mkdtempSync(join(tmpdir(), 'svc-kill-'))
})
test.after.each(() => rmSync(folder, { recursive: true, force: true }))

async function workspace(): Promise<{ readonly file: string; readonly key: string }> {
  const file = join(folder, 'svc.db')
  const engine = await openPrepared({
    database: { kind: 'sqlite', file },
    doctypes: [join(import.meta.dirname, '../../doctypes')],
    secretKey: Buffer.alloc(32, 7),
  })
  const wanted = { scope: 'write', env: 'live', label: null, allow_ips: [], expires: null } as const
  const { key } = await engine.services.database.write((tx) =>
    createKey(tx, systemClock, { name: 'test' }, wanted),
  )
  await engine.close()
  return { file, key }
}

function serve(
  file: string,
  key: string,
  moment: 'commit' | 'answer' | 'never',
): ReturnType<typeof spawnSync> {
  const script = fileURLToPath(import.meta.resolve('./killed-server.ts'))
  return spawnSync(process.execPath, [script, file, key, moment], { encoding: 'utf8' })
}

test('9: killed between commit and answer, the retry replays and nothing happens twice', async () => {
  const { file, key } = await workspace()
  assert.is(serve(file, key, 'answer').signal, 'SIGKILL')
  const retry = serve(file, key, 'never')
  assert.equal(JSON.parse(String(retry.stdout)), {
    status: 201,
    replayed: 'true',
    id: 'Tools',
    events: 1,
  })
})

test('10: killed before the commit, the retry executes once', async () => {
  const { file, key } = await workspace()
  assert.is(serve(file, key, 'commit').signal, 'SIGKILL')
  const retry = serve(file, key, 'never')
  assert.equal(JSON.parse(String(retry.stdout)), { status: 201, id: 'Tools', events: 1 })
})

test.run()

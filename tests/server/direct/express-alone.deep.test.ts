import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'

const ROOT = join(import.meta.dirname, '../../..')

/** What `npm test` runs over the direct way, and what a server without it has to hold as well. */
const FILES = [
  'tests/security/authorization-matrix.test.ts',
  'tests/security/order-of-refusals.test.ts',
  'tests/security/checklist-input.test.ts',
  'tests/security/checklist-records.test.ts',
  'tests/security/query-parameters.test.ts',
  'tests/fuzz/http-fuzz.test.ts',
  'tests/server/requests.test.ts',
  'tests/server/idempotency.test.ts',
]

const test = suite('without the direct way')

for (const file of FILES)
  test(`${file} holds as well`, () => {
    const run = spawnSync(process.execPath, [file], {
      cwd: ROOT,
      env: { ...process.env, SVC_TEST_DIRECT: 'off' },
      encoding: 'utf8',
    })
    assert.is(run.status, 0, run.stdout + run.stderr)
  })

test.run()

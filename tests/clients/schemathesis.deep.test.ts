import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { pythonJudge } from './judges.ts'
import { openShop, type Shop } from './shop.ts'

/** Seconds that each part may look for something wrong; what comes later would have no time left. */
const PHASES = [
  ['examples,coverage', 60],
  ['fuzzing,stateful', 120],
] as const

/** What is asked: documents, masters, states; never `/v1/api-keys`, whose keys it would end. */
const RESOURCES = 'customers,items,sales-orders,tasks,leads'

/**
 * Checks that judge a tool's own guess: whether links to nothing are taken, what methods are worth trying, and whether
 * anything answers a stranger.
 */
const NOT_JUDGED = 'positive_data_acceptance,unsupported_method,ignored_auth'

const judge = suite('Schemathesis')
let shop: Shop

judge.before(async () => {
  shop = await openShop()
  const answer = await fetch(`${shop.server.url}/v1/openapi.json?resource=${RESOURCES}`)
  // What a preview answers is described once, at `previewRecord`: said of each change, clients would get one of two.
  const judged = (await answer.text()).replaceAll(/,?\{"\$ref":"[^"]*\/dryRun"\}/g, '')
  writeFileSync(join(shop.folder, 'judged.json'), judged)
})
judge.after(() => shop.close())

for (const [phases, seconds] of PHASES) {
  judge(`finds nothing by ${phases}: no 5xx, no answer beside its description`, () => {
    const bin = pythonJudge('schemathesis')
    const told = [
      ...['run', 'judged.json', '--url', shop.server.url],
      ...['--header', `Authorization: Bearer ${shop.key}`],
      ...['--phases', phases, '--max-time', String(seconds), '--max-examples', '15', '--seed', '1'],
      ...['--suppress-health-check', 'all', '--exclude-checks', NOT_JUDGED, '--no-color'],
      ...['--continue-on-failure', '--generation-database', 'none'],
    ]
    const { status, stdout, stderr } = spawnSync(join(bin, 'schemathesis'), told, {
      cwd: shop.folder,
      encoding: 'utf8',
      maxBuffer: 64 * 1024 * 1024,
    })
    assert.is(status, 0, `${stdout}${stderr}`.slice(-12_000))
    assert.match(stdout, /\d+ generated, \d+ passed/)
  })
}

judge.run()

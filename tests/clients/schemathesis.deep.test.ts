import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { pythonJudge } from './judges.ts'
import { openShop, type Shop } from './shop.ts'

/** Seconds that it may look for something wrong. */
const SECONDS = 180

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
})
judge.after(() => shop.close())

judge(
  `finds nothing in ${SECONDS} s: no 5xx, no answer beside its schema, status or headers`,
  () => {
    const bin = pythonJudge('schemathesis')
    const description = `${shop.server.url}/v1/openapi.json?resource=${RESOURCES}`
    const told = [
      ...['run', description, '--header', `Authorization: Bearer ${shop.key}`],
      ...['--max-time', String(SECONDS), '--max-examples', '15', '--seed', '1', '--no-color'],
      ...['--suppress-health-check', 'all', '--exclude-checks', NOT_JUDGED],
      ...['--continue-on-failure', '--generation-database', 'none'],
    ]
    const { status, stdout, stderr } = spawnSync(join(bin, 'schemathesis'), told, {
      cwd: shop.folder,
      encoding: 'utf8',
      maxBuffer: 64 * 1024 * 1024,
    })
    assert.is(status, 0, `${stdout}${stderr}`.slice(-12_000))
    assert.match(stdout, /Test cases:|test cases/i)
  },
)

judge.run()

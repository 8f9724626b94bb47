import type { IncomingMessage, ServerResponse } from 'node:http'
import { join } from 'node:path'
import supertest from 'supertest'
import { createApp } from '../../server/app.ts'
import { createIdempotency } from '../../server/idempotency/idempotency.ts'
import { createLogger } from '../../server/observe/logger.ts'
import { createMetrics } from '../../server/observe/metrics.ts'
import { createBackground } from '../../server/site/background.ts'
import { createSite } from '../../server/site/site.ts'
import { systemResolve } from '../../webhooks/sending/resolve.ts'
import { openPrepared } from '../helpers/prepared.ts'

/**
 * A process that dies of SIGKILL while it answers one keyed request: `commit` in the transaction, before
 * its commit; `answer` after it, before a byte of the answer has left; `never` answers and prints.
 */
const [file = '', key = '', moment = 'never'] = process.argv.slice(2)

const die = (): boolean => process.kill(process.pid, 'SIGKILL')
const secretKey = Buffer.alloc(32, 7)
const engine = await openPrepared({
  database: { kind: 'sqlite', file },
  doctypes: [join(import.meta.dirname, '../../doctypes')],
  secretKey,
  sinks: [
    async () => {
      if (moment === 'commit') die()
    },
  ],
})
const metrics = createMetrics()
const logger = createLogger({ level: 'silent' })
const background = createBackground(logger)
const served = createApp({
  engine,
  settings: { env: 'live', corsOrigins: [], trustProxy: [], rateLimit: true },
  logger,
  site: createSite({ engine, settings: {}, background, listeningAt: () => 'http://svc.test' }),
  metrics,
  idempotency: createIdempotency(engine, secretKey),
  webhooks: {
    policy: () => ({ loopback: true, private: false, ownPorts: [] }),
    resolve: systemResolve,
    secretKey,
  },
  billing: { provider: undefined, addresses: () => ['http://127.0.0.1:8000'] },
  isDraining: () => false,
})
const app = (request: IncomingMessage, response: ServerResponse): void => {
  if (moment === 'answer') response.writeHead = die as unknown as typeof response.writeHead
  served(request, response)
}
const { status, headers, body } = await supertest(app)
  .post('/v1/item-groups')
  .set('X-API-Key', key)
  .set('Idempotency-Key', 'killed')
  .send({ item_group_name: 'Tools' })
const { read } = engine.services.database
const events = (await read.selectFrom('svc_events').select('id').execute()).length
console.log(
  JSON.stringify({ status, replayed: headers['idempotent-replayed'], id: body.id, events }),
)
metrics.close()
await engine.close()

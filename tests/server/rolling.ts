import supertest from 'supertest'
import { FILL } from '../../engine/storage/workspace/fill-jobs.ts'
import { fillJob } from '../../server/jobs/fill-job.ts'
import { startJobWorker } from '../../server/jobs/job-worker.ts'
import { createLogger } from '../../server/observe/logger.ts'
import { openWorkspace } from '../engine/documents/workspace.ts'
import type { TestDatabase } from '../helpers/databases.ts'
import { appOver, bearer, type TestApp } from './test-app.ts'

/** Definitions of before. */
export const OLD = `
doctype: Bolt
module: stock
tier: free
naming: field:code
fields:
  code: {type: data, required: true}
  title: {type: data}
  colour: {type: data}
  price: {type: currency}
  gross: {type: currency, formula: price * 2}
---
doctype: Crate
module: stock
tier: free
naming: field:code
fields:
  code: {type: data, required: true}
`

/** The same with a field that is renamed, one that is retired, two that are added, and another formula. */
export const NEW = OLD.replace('title: {', 'label: {renamed_from: title, ')
  .replace('  colour: {type: data}\n', '  note: {type: data}\n')
  .replace('price * 2}', 'price * 3}\n  half: {type: currency, formula: price / 2}')

/** A server of a workspace that may have others beside it. */
export interface RollingServer extends TestApp {
  ask(method: 'get' | 'post' | 'patch', path: string, body?: object): supertest.Test
}

/**
 * Starts a server with these definitions on a database that others serve too. With a size of pages it gives fields that wait
 * their values beside its work, else before it. Throws as `openEngine` does.
 */
export async function openServer(
  place: TestDatabase,
  doctypes: string,
  pageSize?: number,
): Promise<RollingServer> {
  const workspace = await openWorkspace(place, doctypes, { fillsBeside: pageSize !== undefined })
  const { engine, clock } = workspace
  const app = await appOver(engine, {
    clock: Object.assign(clock, { advance: () => undefined }),
    secretKey: Buffer.alloc(32, 7),
    settings: { rateLimit: false },
  })
  const worker = startJobWorker({
    engine,
    logger: createLogger({ level: 'silent' }),
    kinds: { [FILL]: fillJob(pageSize === undefined ? {} : { pageSize }) },
    pollMs: 20,
  })
  return {
    ...app,
    ask: (method, path, body) =>
      supertest(app.app)
        [method](`/v1${path}`)
        .set('Authorization', bearer(app.keys.admin))
        .send(body),
    async close() {
      await worker.stop()
      await workspace.close()
    },
  }
}

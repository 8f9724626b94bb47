/* Stands in for `svc import` until it is there. node import-loop.ts FILE.csv DATA */
import { createReadStream } from 'node:fs'
import { parse } from 'csv-parse'
import { withWorkspace } from '../cli/workspace.ts'
import { SYSTEM_ACTOR } from '../engine/access/actor.ts'
import { createDocument } from '../engine/documents/create.ts'

const [csv = '', data = ''] = process.argv.slice(2)
await withWorkspace({ data }, async (engine) => {
  const context = engine.context(SYSTEM_ACTOR, await engine.tier())
  const definition = engine.services.registry.bySlug('customers')!
  const inFlight = new Set<Promise<unknown>>()
  for await (const cells of createReadStream(csv).pipe(parse({ columns: true, bom: true }))) {
    const body: Record<string, unknown> = {}
    for (const [key, text] of Object.entries(cells as Record<string, string>)) {
      if (text === '') continue
      body[key] = key === 'credit_limit' ? Number(text) : text
    }
    const made = createDocument(context, definition, body).finally(() => inFlight.delete(made))
    inFlight.add(made)
    if (inFlight.size >= 256) await Promise.race(inFlight)
  }
  await Promise.all(inFlight)
})

import { openWebhookApp } from './webhook-app.ts'

/**
 * A process of its own that delivers to these receivers and prints, as JSON, by how many bytes it grew at most:
 * the memory of the receivers is not in it. The first receiver is a good one, to warm up with.
 */
const [good = '', ...hostile] = process.argv.slice(2)
const ROUNDS = 30

const api = await openWebhookApp({ settings: { rateLimit: false } })
const { id } = await api.subscribe(good, ['gadgets.created'])
for (let n = 0; n < ROUNDS; n += 1) await api.makeGadget(`warm-${n}`)
await api.worker.settled()
await api.call('delete', `/v1/webhooks/${id}`)

const before = process.memoryUsage().rss
let most = before
const sampler = setInterval(() => {
  most = Math.max(most, process.memoryUsage().rss)
}, 10)
for (const url of hostile) await api.subscribe(url, ['gadgets.created'])
for (let n = 0; n < ROUNDS; n += 1) await api.makeGadget(`hostile-${n}`)
await api.worker.settled()
clearInterval(sampler)
console.log(JSON.stringify({ grown: most - before, ...api.worker.stats() }))
await api.close()

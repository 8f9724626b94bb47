/*
 * The process that owns the tests' PostgreSQL server. It prints the server's URL as one line of JSON and
 * runs until its stdin closes, which also happens when whoever started it is killed: so no run, however
 * it ends, leaves a server behind.
 */
import { startCluster } from './postgres-cluster.ts'

const cluster = await startCluster()

process.stdin.resume()
process.stdin.on('close', () => {
  void cluster.stop().then(() => process.exit(0))
})
// Whoever reads us may be gone already; stdin tells the same and is what we act on.
process.stdout.on('error', () => undefined)
process.stdout.write(`${JSON.stringify({ url: cluster.url })}\n`)

/*
 * Loaded into a measured process with `--import`: writes what it used in all into the file that
 * BENCH_USAGE names, at its end.
 */
import { writeFileSync } from 'node:fs'

process.once('exit', () => {
  const { user, system } = process.cpuUsage()
  const { maxRSS } = process.resourceUsage()
  const usage = { cpuMicroseconds: user + system, mostRssBytes: maxRSS * 1024 }
  writeFileSync(process.env.BENCH_USAGE, JSON.stringify(usage))
})

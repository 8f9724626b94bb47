/*
 * Loaded into a measured process with `--import`: writes what it used in all into the file that
 * BENCH_USAGE names, at its end.
 */
import { readFileSync, writeFileSync } from 'node:fs'

const SAMPLED_EVERY = 200

let mostPrivateBytes = 0
setInterval(sample, SAMPLED_EVERY).unref()

/** Samples the memory the process has for itself; the pages of a mapped database belong to the system's cache. */
function sample() {
  const [, kilobytes] = /^RssAnon:\s+(\d+) kB$/m.exec(statusOfProcess()) ?? []
  const bytes = kilobytes === undefined ? process.memoryUsage.rss() : Number(kilobytes) * 1024
  mostPrivateBytes = Math.max(mostPrivateBytes, bytes)
}

function statusOfProcess() {
  try {
    return readFileSync('/proc/self/status', 'utf8')
  } catch (_notLinux) {
    return ''
  }
}

process.once('exit', () => {
  const { user, system } = process.cpuUsage()
  const { maxRSS } = process.resourceUsage()
  sample()
  const usage = {
    cpuMicroseconds: user + system,
    mostRssBytes: maxRSS * 1024,
    mostPrivateBytes,
  }
  writeFileSync(process.env.BENCH_USAGE, JSON.stringify(usage))
})

/*
 * Loaded into a measured process with `--import`: answers a message from its parent with what the process
 * has used so far. Only the process itself can tell to the microsecond, and on every platform.
 */
import type { Usage } from './server-process.ts'

process.on('message', () => {
  const { user, system } = process.cpuUsage()
  const usage: Usage = { cpuMicroseconds: user + system, rssBytes: process.memoryUsage.rss() }
  process.send?.(usage)
})
process.channel?.unref()

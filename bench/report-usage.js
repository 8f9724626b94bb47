/*
 * Loaded into a measured process with `--import`: answers a message from its parent with what the process
 * has used so far. Only the process itself can tell to the microsecond, and on every platform. JavaScript,
 * because TypeScript here would load the compiler into a process whose start and memory are measured.
 */
process.on('message', () => {
  const { user, system } = process.cpuUsage()
  process.send?.({ cpuMicroseconds: user + system, rssBytes: process.memoryUsage.rss() })
})
process.channel?.unref()

/*
 * Loaded into a measured process with `--import`: answers a message from its parent with what the process
 * has used so far, and with how long its event loop kept others waiting since the last message. Only the process itself
 * can tell to the microsecond, and on every platform. JavaScript, because TypeScript here would load the compiler into a
 * process whose start and memory are measured.
 */
let looking
let last = 0
let used
let longest = 0
let busiest = 0

function look() {
  const now = performance.now()
  longest = Math.max(longest, now - last)
  last = now
  const { user, system } = process.threadCpuUsage(used)
  busiest = Math.max(busiest, (user + system) / 1000)
  used = process.threadCpuUsage()
}

/** Looks at the event loop each millisecond from the first `watch` on: a process that nobody watches pays nothing. */
function watch() {
  looking ??= setInterval(look, 1).unref()
  last = performance.now()
  used = process.threadCpuUsage()
  longest = 0
  busiest = 0
}

process.on('message', (message) => {
  if (message === 'watch') watch()
  else if (looking) look()
  const { user, system } = process.cpuUsage()
  const rssBytes = process.memoryUsage.rss()
  process.send?.({ cpuMicroseconds: user + system, rssBytes, longest, busiest })
})
process.channel?.unref()

/*
 * Loaded into a measured process with `--import`: answers a message from its parent with what the process
 * has used so far, and with how long its event loop kept others waiting since the last message. Only the process itself
 * can tell to the microsecond, and on every platform. JavaScript, because TypeScript here would load the compiler into a
 * process whose start and memory are measured.
 */
import { subscribe } from 'node:diagnostics_channel'
import { readFileSync, writeFileSync } from 'node:fs'

/** Memory is looked at each so many ms. */
const MEMORY_EVERY = 20

/** Header of the requests of which it is told what the thread did while they waited: their name. */
const WATCHED = 'x-bench-watched'

let looking
let last = 0
let used
let longest = 0
let busiest = 0
let mostOwnBytes = 0
/** Most CPU time of the thread while a watched request was there, in ms, by its name. */
let worked = {}
/** CPU time of the thread when a watched request came, by request. */
const came = new WeakMap()

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
  if (!looking) watchOnce()
  last = performance.now()
  used = process.threadCpuUsage()
  longest = 0
  busiest = 0
  mostOwnBytes = 0
  worked = {}
  forgetPeak()
}

function watchOnce() {
  looking = setInterval(look, 1).unref()
  setInterval(lookAtMemory, MEMORY_EVERY).unref()
  subscribe('http.server.request.start', ({ request }) => {
    if (request.headers[WATCHED]) came.set(request, process.threadCpuUsage())
  })
  subscribe('http.server.response.finish', ({ request }) => {
    const before = came.get(request)
    if (!before) return
    const { user, system } = process.threadCpuUsage(before)
    const name = request.headers[WATCHED]
    worked[name] = Math.max(worked[name] ?? 0, (user + system) / 1000)
  })
}

function lookAtMemory() {
  mostOwnBytes = Math.max(mostOwnBytes, kilobytesOf('RssAnon') * 1024)
}

/** A line of the system about this process, in kB; 0 where it tells nothing. */
function kilobytesOf(name) {
  const [, kilobytes = 0] = new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(statusOfProcess()) ?? []
  return Number(kilobytes)
}

function statusOfProcess() {
  try {
    return readFileSync('/proc/self/status', 'utf8')
  } catch (_notLinux) {
    return ''
  }
}

/** Lets the system begin anew with the most memory that the process has had. */
function forgetPeak() {
  try {
    writeFileSync('/proc/self/clear_refs', '5')
  } catch (_notLinux) {
    return
  }
}

process.on('message', (message) => {
  if (message === 'watch') watch()
  else if (looking) look()
  const { user, system } = process.cpuUsage()
  const rssBytes = process.memoryUsage.rss()
  const cpuMicroseconds = user + system
  if (looking) lookAtMemory()
  const mostBytes = Math.max(rssBytes, kilobytesOf('VmHWM') * 1024)
  const loop = { longest, busiest, worked }
  process.send?.({ cpuMicroseconds, rssBytes, mostBytes, mostOwnBytes, ...loop })
})
process.channel?.unref()

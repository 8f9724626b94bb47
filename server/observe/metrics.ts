import { monitorEventLoopDelay } from 'node:perf_hooks'

type LoopDelay = ReturnType<typeof monitorEventLoopDelay>

/** Upper bounds of the duration histogram, in seconds. */
const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

/** Counters of this process, shown by `/metrics` in Prometheus' text format. */
export interface Metrics {
  started(): void
  finished(method: string, route: string, status: number, seconds: number): void
  /** Adds lines of something else that counts; it is asked at each scrape. */
  watch(lines: () => readonly string[]): void
  /** Text format 0.0.4. */
  render(): string
  /** Stops watching the event loop. */
  close(): void
}

interface Series {
  readonly labels: string
  readonly byClass: number[]
  readonly buckets: number[]
  sum: number
  count: number
}

/** Fresh counters. Labels come from methods Node knows and from declared routes, so their number is bounded. */
export function createMetrics(): Metrics {
  const series = new Map<string, Map<string, Series>>()
  const loop: LoopDelay = monitorEventLoopDelay({ resolution: 20 })
  loop.enable()
  const watched: (() => readonly string[])[] = []
  let inFlight = 0

  function seriesOf(method: string, route: string): Series {
    let byRoute = series.get(method)
    if (!byRoute) {
      byRoute = new Map()
      series.set(method, byRoute)
    }
    let found = byRoute.get(route)
    if (!found) {
      const labels = `method="${method}",route="${route}"`
      found = {
        labels,
        byClass: [0, 0, 0, 0, 0, 0],
        buckets: BUCKETS.map(() => 0),
        sum: 0,
        count: 0,
      }
      byRoute.set(route, found)
    }
    return found
  }

  return {
    started() {
      inFlight += 1
    },
    finished(method, route, status, seconds) {
      inFlight -= 1
      const one = seriesOf(method, route)
      const statusClass = Math.min(5, Math.floor(status / 100))
      one.byClass[statusClass] = (one.byClass[statusClass] ?? 0) + 1
      one.sum += seconds
      one.count += 1
      const bucket = BUCKETS.findIndex((bound) => seconds <= bound)
      if (bucket >= 0) one.buckets[bucket] = (one.buckets[bucket] ?? 0) + 1
    },
    watch(lines) {
      watched.push(lines)
    },
    render() {
      const all = [...series.values()].flatMap((byRoute) => [...byRoute.values()])
      const text = [
        ...requestLines(all),
        ...durationLines(all),
        ...processLines(loop, inFlight),
        ...watched.flatMap((lines) => lines()),
      ]
      loop.reset()
      return `${text.join('\n')}\n`
    },
    close() {
      loop.disable()
    },
  }
}

function requestLines(all: readonly Series[]): string[] {
  return [
    ...header('svc_http_requests_total', 'counter', 'Requests answered.'),
    ...all.flatMap(({ labels, byClass }) =>
      byClass.flatMap((count, statusClass) =>
        count === 0
          ? []
          : [`svc_http_requests_total{${labels},status="${statusClass}xx"} ${count}`],
      ),
    ),
  ]
}

function durationLines(all: readonly Series[]): string[] {
  const name = 'svc_http_request_duration_seconds'
  return [
    ...header(name, 'histogram', 'From the arrival of a request to the end of its answer.'),
    ...all.flatMap(({ labels, buckets, sum, count }) => {
      let total = 0
      return [
        ...BUCKETS.map((bound, index) => {
          total += buckets[index] ?? 0
          return `${name}_bucket{${labels},le="${bound}"} ${total}`
        }),
        `${name}_bucket{${labels},le="+Inf"} ${count}`,
        `${name}_sum{${labels}} ${sum}`,
        `${name}_count{${labels}} ${count}`,
      ]
    }),
  ]
}

function processLines(loop: LoopDelay, inFlight: number): string[] {
  const seconds = (nanoseconds: number): number =>
    Number.isFinite(nanoseconds) ? nanoseconds / 1e9 : 0
  return [
    ...header('svc_http_requests_in_flight', 'gauge', 'Requests being answered now.'),
    `svc_http_requests_in_flight ${inFlight}`,
    ...header(
      'svc_event_loop_delay_seconds',
      'gauge',
      'Delay of the event loop since the last scrape.',
    ),
    `svc_event_loop_delay_seconds{quantile="0.5"} ${seconds(loop.percentile(50))}`,
    `svc_event_loop_delay_seconds{quantile="0.99"} ${seconds(loop.percentile(99))}`,
    `svc_event_loop_delay_seconds{quantile="1"} ${seconds(loop.max)}`,
    ...residentMemory(),
    ...header('process_uptime_seconds', 'gauge', 'Since the process started.'),
    `process_uptime_seconds ${process.uptime()}`,
  ]
}

/** Left out where the system does not tell (a sandbox without /proc). */
function residentMemory(): string[] {
  try {
    const bytes = process.memoryUsage.rss()
    return [
      ...header('process_resident_memory_bytes', 'gauge', 'Memory of the process.'),
      `process_resident_memory_bytes ${bytes}`,
    ]
  } catch {
    return []
  }
}

/** The two lines before the values of a metric. */
export function header(
  name: string,
  type: 'counter' | 'gauge' | 'histogram',
  help: string,
): string[] {
  return [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`]
}

import { printable } from './printable.ts'

/** Stream that the lines of a log go to. */
interface LineStream {
  write(line: string): void
}

/** Levels as pino numbers them; those of every day are not named. */
const LEVEL_NAMES: Readonly<Record<number, string>> = {
  10: 'trace',
  20: 'debug',
  40: 'WARN',
  50: 'ERROR',
  60: 'FATAL',
}

/** Values that have a place of their own in a line, as is said below; each other one follows with its name. */
const PLACED = new Set(['level', 'time', 'msg', 'err'])

/** The JSON lines of a log as lines for people: `12:27:47 POST /v1/customers 201 18 ms`. */
export function prettyLines(stream: LineStream): LineStream {
  return { write: (json) => stream.write(`${prettyLine(json)}\n`) }
}

/** One line of JSON as a line for people, in the time of this machine; what is no JSON stays as it is. */
export function prettyLine(json: string): string {
  const entry = parsed(json)
  if (entry === undefined) return printable(json.trimEnd())
  const { level, time, err } = entry
  const words = [
    clockTime(time),
    LEVEL_NAMES[Number(level)],
    ...(isRequest(entry) ? requestWords(entry) : otherWords(entry)),
  ]
  const line = words.filter((word) => word !== undefined && word !== '').join(' ')
  return printable(line.replaceAll('\n', ' ')) + shownError(err)
}

type Entry = Readonly<Record<string, unknown>>

function parsed(json: string): Entry | undefined {
  try {
    const value: unknown = JSON.parse(json)
    return typeof value === 'object' && value !== null ? (value as Entry) : undefined
  } catch {
    return undefined
  }
}

function clockTime(time: unknown): string {
  return typeof time === 'number' ? (new Date(time).toTimeString().split(' ')[0] ?? '') : ''
}

function isRequest({ method, route, status }: Entry): boolean {
  return [method, route].every((value) => typeof value === 'string') && typeof status === 'number'
}

/** The route is a pattern; of its parts only the resource is no secret of the records. */
function requestWords(entry: Entry): string[] {
  const { method, route, resource, status, ms } = entry
  const path = route === 'none' ? '(no such address)' : String(route)
  const shown = typeof resource === 'string' ? path.replace(':resource', resource) : path
  return [String(method), shown, String(status), `${Math.round(Number(ms))} ms`]
}

function otherWords(entry: Entry): string[] {
  const values = Object.entries(entry).filter(([name]) => !PLACED.has(name))
  return [
    typeof entry.msg === 'string' ? entry.msg : '',
    ...values.map(
      ([name, value]) => `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`,
    ),
  ]
}

/** The stack below the line, or the message behind it where there is none. */
function shownError(err: unknown): string {
  if (typeof err !== 'object' || err === null) return ''
  const { message, stack } = err as Entry
  if (typeof stack === 'string') return `\n${printable(stack.replaceAll(/^/gm, '  '))}`
  return typeof message === 'string' ? `: ${printable(message)}` : ''
}

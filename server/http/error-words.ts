import { AppError, type Detail } from '../../engine/base/errors.ts'

/** English text → the same in another language; `{1}`, `{2}` … stand for what differs. */
export type Messages = ReadonlyMap<string, string>

/** A message that has parts which differ. */
interface Pattern {
  /** What stands between the parts. */
  readonly pieces: readonly string[]
  readonly told: string
}

/** Says a message in another language; one that it does not know stays as it is. */
export type Teller = (message: string) => string

/** Longest message that is looked for among those with parts. */
const LONGEST = 2000

/** Teller of these messages: whole ones first, then those with parts, the most particular first. Parts that are known themselves are told too. */
export function messageTeller(messages: Messages): Teller {
  const patterns = [...messages]
    .filter(([text]) => text.includes('{1}'))
    .map(([text, told]): Pattern => ({ pieces: text.split(/\{\d\}/), told }))
    .sort((one, other) => lengthOf(other) - lengthOf(one))
  return (message) => {
    const whole = messages.get(message)
    if (whole !== undefined || message.length > LONGEST) return whole ?? message
    for (const { pieces, told } of patterns) {
      const parts = partsOf(message, pieces)
      if (parts)
        return told.replaceAll(/\{(\d)\}/g, (_, number: string) => {
          const part = parts[Number(number) - 1] ?? ''
          return messages.get(part) ?? part
        })
    }
    return message
  }
}

function lengthOf({ pieces }: Pattern): number {
  return pieces.reduce((sum, piece) => sum + piece.length, 0)
}

/** What stands between the pieces in a text; undefined where they are not all there, in their order. */
function partsOf(text: string, pieces: readonly string[]): readonly string[] | undefined {
  const [first = '', ...others] = pieces
  const last = others.pop() ?? ''
  if (!text.startsWith(first) || !text.endsWith(last)) return undefined
  const end = text.length - last.length
  const parts: string[] = []
  let at = first.length
  for (const piece of others) {
    const next = text.indexOf(piece, at)
    if (next <= at || next + piece.length > end) return undefined
    parts.push(text.slice(at, next))
    at = next + piece.length
  }
  if (at >= end) return undefined
  return [...parts, text.slice(at, end)]
}

/** The refusal in another language: its message and those of its details; codes and fields stay. */
export function toldError(error: AppError, tell: Teller): AppError {
  const { code, message, details, untold, linked, headers } = error
  return new AppError(code, toldWhole(message, details?.[0], tell), {
    ...(details
      ? { details: details.map((detail) => ({ ...detail, message: tell(detail.message) })) }
      : {}),
    untold,
    ...(linked ? { linked } : {}),
    headers,
    cause: error,
  })
}

/** The message of a 422 begins with that of its first detail. */
function toldWhole(message: string, first: Detail | undefined, tell: Teller): string {
  const repeated = first && `${first.field}: ${first.message}`
  if (!repeated || !message.startsWith(repeated)) return tell(message)
  const more = message.slice(repeated.length)
  return `${first.field}: ${tell(first.message)}${more === '' ? '' : tell(more)}`
}

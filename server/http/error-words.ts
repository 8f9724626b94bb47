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

/** What the name of a condition begins with: such texts are looked for behind `{if1}` alone. */
const CONDITION = '(if) '

/**
 * Teller of these messages: whole ones first, then those with parts, the most particular first. Parts that are known
 * themselves are told too. A part that the other language names `{if1}` is a condition (`Status is Open and Closed is off`), told
 * by the texts that begin with `(if) `, in their order.
 */
export function messageTeller(messages: Messages): Teller {
  const withParts = [...messages].filter(([text]) => text.includes('{1}'))
  const isCondition = ([text]: readonly [string, string]): boolean => text.startsWith(CONDITION)
  const patterns = withParts
    .filter((one) => !isCondition(one))
    .map(patternOf)
    .sort((one, other) => lengthOf(other) - lengthOf(one))
  const conditions = withParts
    .filter(isCondition)
    .map(([text, told]) => patternOf([text.slice(CONDITION.length), told]))

  function filled(told: string, parts: readonly string[]): string {
    return told.replaceAll(/\{(if)?(\d)\}/g, (_, isIf: string | undefined, number: string) => {
      const part = parts[Number(number) - 1] ?? ''
      return isIf ? condition(part) : (messages.get(part) ?? part)
    })
  }

  function condition(text: string): string {
    const whole = messages.get(CONDITION + text) ?? messages.get(text)
    if (whole !== undefined) return whole
    for (const { pieces, told } of conditions) {
      const parts = partsOf(text, pieces)
      if (parts) return filled(told.replaceAll(/\{(\d)\}/g, '{if$1}'), parts)
    }
    return text
  }

  return (message) => {
    const whole = messages.get(message)
    if (whole !== undefined || message.length > LONGEST) return whole ?? message
    for (const { pieces, told } of patterns) {
      const parts = partsOf(message, pieces)
      if (parts) return filled(told, parts)
    }
    return message
  }
}

function patternOf([text, told]: readonly [string, string]): Pattern {
  return { pieces: text.split(/\{\d\}/), told }
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

import { AppError, validationError } from '../../engine/base/errors.ts'

/** Decoded parameters of a URL in their order; a name may come more than once. */
export type Parameters = readonly (readonly [name: string, value: string])[]

const NONE: Parameters = []

/** Parameters one request may have; each filter of a list is one. */
const MAX_PARAMETERS = 200

/**
 * Reads the query of a URL. Throws 400 for an encoding that is not valid UTF-8 (URLSearchParams would
 * change it silently) and 422 for NUL, which no stored text has.
 */
export function readQuery(url: string): Parameters {
  const start = url.indexOf('?')
  if (start < 0 || start === url.length - 1) return NONE
  const parameters: (readonly [string, string])[] = []
  for (const part of url.slice(start + 1).split('&')) {
    if (part === '') continue
    const equals = part.indexOf('=')
    const name = decode(equals < 0 ? part : part.slice(0, equals))
    parameters.push([name, equals < 0 ? '' : decode(part.slice(equals + 1))])
    if (parameters.length > MAX_PARAMETERS) {
      throw new AppError('BAD_REQUEST', `expected at most ${MAX_PARAMETERS} query parameters`)
    }
  }
  return parameters
}

const IN_AN_OBJECT = /^(?:suffixed|filters)\[(\w+)\]$/

/**
 * The parameters of a list: a filter may also be the property of an object, `suffixed[total__gt]=1`, as many clients write
 * the objects of the description.
 */
export function readListParameters(url: string): Parameters {
  const parameters = readQuery(url)
  if (!parameters.some(([name]) => name.endsWith(']'))) return parameters
  return parameters.map(([name, value]) => [IN_AN_OBJECT.exec(name)?.[1] ?? name, value])
}

function decode(text: string): string {
  if (!text.includes('%') && !text.includes('+')) return text
  let decoded: string
  try {
    decoded = decodeURIComponent(text.replaceAll('+', ' '))
  } catch (cause) {
    throw new AppError(
      'BAD_REQUEST',
      `the query parameter ${JSON.stringify(text.slice(0, 60))} is not valid percent-encoded UTF-8; encode it`,
      { cause },
    )
  }
  if (decoded.includes('\0')) {
    const field = decoded.replaceAll('\0', '\\u0000').slice(0, 60).toWellFormed()
    throw validationError([
      {
        field,
        message: 'a query parameter may not contain the NUL character',
        code: 'wrong_type',
      },
    ])
  }
  return decoded
}

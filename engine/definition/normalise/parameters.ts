import type { Path } from '../yaml/parse.ts'
import { isMap } from '../yaml/source.ts'

/** A parameter in a text of a block: `$side`, or `${side}` where a letter, digit or _ follows. */
const PARAMETER = /\$(?:([a-z][a-z0-9_]*)|\{([a-z][a-z0-9_]*)\})/g

/** Value of a parameter: what YAML writes in one place. */
export type Values = ReadonlyMap<string, unknown>

/** A text with its parameters filled in; one that is nothing but a parameter becomes its value, whatever that is. */
export function fillText(text: string, values: Values): unknown {
  if (!text.includes('$')) return text
  const whole = text.match(/^\$(?:([a-z][a-z0-9_]*)|\{([a-z][a-z0-9_]*)\})$/)
  const name = whole?.[1] ?? whole?.[2]
  if (name !== undefined && values.has(name)) return values.get(name)
  return text.replaceAll(PARAMETER, (written, plain: string | undefined, inBraces: string) => {
    const known = plain ?? inBraces
    return values.has(known) ? String(values.get(known)) : written
  })
}

/** A value with the parameters of all its texts and keys filled in. */
export function fill(value: unknown, values: Values): unknown {
  if (values.size === 0) return value
  if (typeof value === 'string') return fillText(value, values)
  if (Array.isArray(value)) return value.map((item) => fill(item, values))
  if (!isMap(value)) return value
  const keys = Object.keys(value)
  return Object.fromEntries(
    keys.map((key) => [String(fillText(key, values)), fill(value[key], values)]),
  )
}

/** Each parameter that a value names, with the path of the text or key that does. */
export function namedParameters(
  value: unknown,
  path: Path = [],
): { readonly name: string; readonly path: Path; readonly part: 'key' | 'value' }[] {
  if (typeof value === 'string')
    return namesIn(value).map((name) => ({ name, path, part: 'value' }))
  if (Array.isArray(value))
    return value.flatMap((item, index) => namedParameters(item, [...path, index]))
  if (!isMap(value)) return []
  return Object.entries(value).flatMap(([key, item]) => [
    ...namesIn(key).map((name) => ({ name, path: [...path, key], part: 'key' as const })),
    ...namedParameters(item, [...path, key]),
  ])
}

function namesIn(text: string): string[] {
  if (!text.includes('$')) return []
  return [...text.matchAll(PARAMETER)].map((match) => (match[1] ?? match[2]) as string)
}

/** The path, in a text as written, of what stands at a path of it once its parameters are filled in. */
export function writtenPath(written: unknown, path: Path, values: Values): Path {
  if (values.size === 0) return path
  let at = written
  return path.map((step) => {
    const key = isMap(at)
      ? (Object.keys(at).find((one) => String(fillText(one, values)) === step) ?? step)
      : step
    at = (at as Readonly<Record<string | number, unknown>> | undefined)?.[key]
    return key
  })
}

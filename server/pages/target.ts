import type { Html } from '../http/html.ts'
import { sameOriginPath } from '../http/same-origin-path.ts'
import { hidden } from './form-parts.ts'
import type { Fields } from './visit.ts'

/** Parameter for the path to go on to after a form: one of this origin, else the start. */
export const TARGET = 'redirect-to'

/** The path a form or an address asks to go on to. */
export function targetOf(fields: Fields): string | undefined {
  return sameOriginPath(fields.get(TARGET))
}

/** Keeps where to go on in a form. */
export function targetField(fields: Fields): Html | undefined {
  return hidden(TARGET, targetOf(fields))
}

/** Adds where to go on to a path of ours. */
export function withTarget(path: string, target: string | undefined): string {
  if (target === undefined) return path
  const query = new URLSearchParams({ [TARGET]: target })
  return `${path}${path.includes('?') ? '&' : '?'}${query}`
}

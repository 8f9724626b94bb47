import { type Detail, validationError } from '../../engine/base/errors.ts'
import { parameterProblem, refusal } from '../../engine/fields/problem.ts'
import { readQuery } from './query-string.ts'

/** Parameter of a change that is only tried (contract §7.2). */
export const PREVIEW_PARAMETER = '_preview'

/** Whether the request wants to know what it would do, and nothing be done. Throws 422 for other values than 1 and 0. */
export function wantsPreview(url: string): boolean {
  return url.includes(PREVIEW_PARAMETER) && readFlag(url, PREVIEW_PARAMETER)
}

/** Whether a parameter of the query is 1; it is 0 where it is not sent. Throws 422 for other values. */
export function readFlag(url: string, name: string): boolean {
  const details: Detail[] = []
  const isOn = flagOf(new Map(readQuery(url)), name, details)
  if (details.length > 0) throw validationError(details)
  return isOn
}

/** The same of parameters that are read already; a wrong value becomes a detail. */
export function flagOf(
  given: ReadonlyMap<string, string>,
  name: string,
  details: Detail[],
): boolean {
  const value = given.get(name) ?? '0'
  if (value !== '0' && value !== '1') details.push(parameterProblem(name, refusal('1 or 0', value)))
  return value === '1'
}

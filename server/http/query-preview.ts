import { validationError } from '../../engine/base/errors.ts'
import { parameterProblem, refusal } from '../../engine/fields/problem.ts'
import { readQuery } from './query-string.ts'

/** Parameter of a change that is only tried (contract §7.2). */
export const PREVIEW_PARAMETER = '_preview'

/** Whether the request wants to know what it would do, and nothing be done. Throws 422 for other values than 1 and 0. */
export function wantsPreview(url: string): boolean {
  if (!url.includes(PREVIEW_PARAMETER)) return false
  const value = new Map(readQuery(url)).get(PREVIEW_PARAMETER) ?? '0'
  if (value !== '0' && value !== '1')
    throw validationError([parameterProblem(PREVIEW_PARAMETER, refusal('1 or 0', value))])
  return value === '1'
}

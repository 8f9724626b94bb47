import type { Request } from 'express'
import { AppError } from '../../engine/base/errors.ts'
import type { ApiResponse } from './request-state.ts'

/** Forms of an answer. */
export type Form = 'json' | 'csv'

const TYPES: Readonly<Record<Form, string>> = { json: 'application/json', csv: 'text/csv' }

/**
 * Form that a request accepts of those that an answer has, the first where it takes any. Throws NOT_ACCEPTABLE where it
 * takes none.
 */
export function acceptedForm(
  request: Request,
  response: ApiResponse,
  forms: readonly Form[] = ['json', 'csv'],
): Form {
  const types = forms.map((form) => TYPES[form])
  if (forms.length > 1) response.vary('Accept')
  const accepted = request.accepts(types)
  const form = forms.find((one) => TYPES[one] === accepted)
  if (form !== undefined) return form
  const got = String(request.headers.accept).slice(0, 80)
  throw new AppError('NOT_ACCEPTABLE', `expected Accept: ${types.join(' or ')}, got ${got}`)
}

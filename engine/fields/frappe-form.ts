import type { FrappeForm } from './field-type.ts'

const asItIs = (wire: unknown): unknown => wire

/** Form of texts and names of records; a number stands for its digits. */
export const TEXT_FORM: FrappeForm = {
  unset: '',
  show: asItIs,
  loosen(input) {
    if (input === '') return null
    return typeof input === 'number' ? String(input) : input
  },
}

/** Form of secrets: Frappe shows stars, and a client that sends the whole document back sends them too. */
export const SECRET_FORM: FrappeForm = {
  ...TEXT_FORM,
  loosen: (input) =>
    typeof input === 'string' && /^\*+$/.test(input) ? undefined : TEXT_FORM.loosen(input),
}

const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i

export const NUMBER_FORM: FrappeForm = {
  unset: 0,
  show: asItIs,
  loosen(input) {
    if (typeof input === 'boolean') return input ? 1 : 0
    if (typeof input !== 'string') return input
    const text = input.trim()
    if (text === '') return null
    const number = NUMBER.test(text) ? Number(text) : Number.NaN
    return Number.isFinite(number) ? number : input
  },
}

/** Form of rows: they are read one by one, each field by its own type. */
export const ROWS_FORM: FrappeForm = { unset: '', show: asItIs, loosen: asItIs }

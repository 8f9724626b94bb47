import { choicesOf, type Formats, formatDate, formatMoment } from '../data/format.ts'
import { relativeWords } from '../data/relative-day.ts'
import type { FieldInfo, ResourceInfo } from '../data/types.ts'
import { WORDS } from '../words/en.ts'
import { sentenceCase } from '../words/sentence-case.ts'
import type { Filter } from './list-address.ts'

/** The parts of a filter in words: `Status`, `is one of`, `Draft, Paid`. */
export interface FilterParts {
  readonly label: string
  readonly operator: string
  readonly value: string
}

/** A filter in words; `title` is what the record of a link is called. */
export function filterParts(
  { fields }: ResourceInfo,
  { field: name, operator, value }: Filter,
  formats: Formats,
  title?: string,
): FilterParts {
  const field = fields.find((one) => one.name === name)
  return {
    label: field ? sentenceCase(field.name === 'modified' ? WORDS.updated : field.label) : name,
    operator: WORDS.ops[operator] ?? operator,
    value: title ?? (value === '' ? WORDS.nothing : valueWords(field, operator, value, formats)),
  }
}

/** The same as one line. */
export function filterWords(resource: ResourceInfo, filter: Filter, formats: Formats): string {
  const { label, operator, value } = filterParts(resource, filter, formats)
  return `${label} ${operator} ${value}`
}

function valueWords(
  field: FieldInfo | undefined,
  operator: string,
  value: string,
  formats: Formats,
): string {
  const values = ['in', 'between'].includes(operator) ? value.split(',') : [value]
  const one = (text: string): string => {
    if (field?.type === 'date' || field?.type === 'datetime') return dayWords(field, text, formats)
    if (field?.type === 'check') return text === 'true' || text === '1' ? WORDS.yes : WORDS.no
    if (field?.type === 'select')
      return choicesOf(field).find((choice) => choice.value === text)?.label ?? text
    return text
  }
  return values.map(one).join(operator === 'between' ? ' – ' : ', ')
}

function dayWords({ type }: FieldInfo, text: string, formats: Formats): string {
  const relative = relativeWords(text, formats.locale, WORDS.firstDayOf)
  if (relative !== undefined) return relative
  return type === 'date' ? formatDate(text, formats) : formatMoment(text, formats)
}

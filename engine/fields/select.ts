import type { Field } from './field.ts'
import type { FieldType } from './field-type.ts'
import { TEXT_FORM } from './frappe-form.ts'
import { described, type KeyProblem, pointlessKeys, refusal } from './problem.ts'

/** One of the values the YAML lists. */
export const select: FieldType = {
  name: 'select',
  storage: 'text',
  kind: 'str',
  operators: ['eq', 'ne', 'between', 'like', 'in'],
  searchable: true,
  inList: true,
  secret: false,
  widget: 'select',
  optionsMean: 'values',
  scaleOf: () => 0,
  schema: (field) => ({ type: 'string', enum: field.options ?? [], ...described(field) }),
  read: readOption,
  // A filter on a slip would find nothing and say nothing.
  readText: readOption,
  readCell: readWrittenOption,
  verbatim: true,
  toWire: (value) => value,
  toColumn: (value) => value as string,
  fromColumn: (column) => column,
  frappe: TEXT_FORM,
  check: (field) => [...pointlessKeys(field, []), ...optionProblems(field)],
  example: ({ options = [] }, n) => options[n % options.length],
}

function readOption(input: unknown, { options = [] }: Field): string | null {
  if (typeof input === 'string' && options.includes(input)) return input
  if (input === '') return null
  throw refusal(`one of ${options.join(', ')}`, input, 'not_an_option')
}

/** Option a person means: `company` for Company; of two that differ by case alone only the exact one is meant. */
function readWrittenOption(text: string, field: Field): string | null {
  const wanted = text.trim()
  if (field.options?.includes(wanted)) return wanted
  const near = field.options?.filter((option) => option.toLowerCase() === wanted.toLowerCase())
  return near?.length === 1 ? near[0]! : readOption(wanted, field)
}

function optionProblems({ options }: Field): KeyProblem[] {
  if (!options || options.length === 0) {
    return [
      {
        key: 'options',
        message: 'expected the list of values to select from, e.g. options: [Low, High]',
      },
    ]
  }
  const twice = options.find((option, index) => options.indexOf(option) !== index)
  if (twice !== undefined)
    return [{ key: 'options', message: `has ${JSON.stringify(twice)} twice` }]
  if (options.includes('')) {
    return [{ key: 'options', message: 'has an empty value; unset is always possible, remove it' }]
  }
  return []
}

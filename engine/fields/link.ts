import type { FieldType, JsonSchema } from './field-type.ts'
import { TEXT_FORM } from './frappe-form.ts'
import { described, type KeyProblem, pointlessKeys, refusal } from './problem.ts'
import { assertLength, storableText } from './storable-text.ts'

/** The longest name a record can have, in characters. */
const MAX_NAME = 140

const REFERENCE = {
  storage: 'text',
  kind: 'str',
  operators: ['eq', 'ne', 'between', 'like', 'in'],
  searchable: true,
  inList: true,
  secret: false,
  scaleOf: () => 0,
  schema: (field): JsonSchema => ({ type: 'string', maxLength: MAX_NAME, ...described(field) }),
  read(input) {
    if (typeof input !== 'string') throw refusal('the name of a record', input)
    assertLength(input, MAX_NAME)
    return storableText(input)
  },
  readText: (text) => storableText(text),
  verbatim: true,
  toWire: (value) => value,
  toColumn: (value) => value as string,
  fromColumn: (column) => column,
  frappe: TEXT_FORM,
  example: ({ link }, n) => `${(link ?? 'record').toUpperCase().replaceAll(' ', '-')}-${n + 1}`,
} as const satisfies Partial<FieldType>

/** The name of a record of one DocType, or the `row_id` of a row of its tables. */
export const link: FieldType = {
  ...REFERENCE,
  name: 'link',
  widget: 'link',
  optionsMean: 'doctype',
  check: (field): KeyProblem[] => [
    ...pointlessKeys(field, []),
    ...(field.link === undefined
      ? [
          {
            key: 'options',
            message: 'expected the DocType to link to, e.g. options: Fleet Vehicle',
          },
        ]
      : []),
  ],
}

/** The name of a record of the DocType that a field beside it names. */
export const dynamicLink: FieldType = {
  ...REFERENCE,
  name: 'dynamic_link',
  widget: 'dynamic-link',
  optionsMean: 'field',
  check: (field): KeyProblem[] => [
    ...pointlessKeys(field, []),
    ...(field.linkFrom === undefined
      ? [
          {
            key: 'options',
            message: 'expected the field that names the DocType, e.g. options: party_type',
          },
        ]
      : []),
  ],
}

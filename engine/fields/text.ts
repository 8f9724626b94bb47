import { cleanFileName, LONGEST_FILE_NAME } from './clean-file-name.ts'
import { cleanHtml } from './clean-html.ts'
import { cleanMarkdown } from './clean-markdown.ts'
import type { Field } from './field.ts'
import type { FieldType, JsonSchema, Operator } from './field-type.ts'
import { SECRET_FORM, TEXT_FORM } from './frappe-form.ts'
import { patternExample, patternProblem } from './pattern.ts'
import { described, type KeyProblem, pointlessKeys, refusal } from './problem.ts'
import { assertLength, storableText } from './storable-text.ts'
import {
  isColor,
  isEmail,
  isFileAddress,
  isPhone,
  isTimeZone,
  isWebAddress,
} from './text-format.ts'

const COMPARED: readonly Operator[] = [
  'eq',
  'ne',
  'gt',
  'gte',
  'lt',
  'lte',
  'between',
  'like',
  'in',
]
const LONG_LENGTH = 100_000
/** The most a `length:` may ask for; a body has at most 1 MB. */
const MAX_LENGTH = 1_000_000

interface TextOptions {
  readonly length: number
  readonly operators?: readonly Operator[]
  readonly multiline?: boolean
  readonly searchable?: boolean
  readonly inList?: boolean
  readonly secret?: boolean
  readonly pattern?: boolean
  readonly widget?: string
  readonly schema?: JsonSchema
  /** The form a text must have, and how a message names it. */
  readonly form?: { readonly expected: string; readonly accepts: (text: string) => boolean }
  /** Takes away what somebody else's page must not run. */
  readonly clean?: (text: string) => string
  readonly example?: (n: number) => string
}

/** One line of text. */
export const data = textType('data', { length: 140, pattern: true, widget: 'text' })

export const smallText = textType('small_text', {
  length: 1000,
  multiline: true,
  widget: 'textarea',
})

export const text = textType('text', { ...long(), operators: ['like'], widget: 'textarea' })

export const longText = textType('long_text', {
  ...long(),
  operators: ['like'],
  widget: 'textarea',
})

/** Markdown, kept with what could run in it made harmless. */
export const markdown = textType('markdown', {
  ...long(),
  clean: cleanMarkdown,
  schema: { contentMediaType: 'text/markdown' },
})

/** HTML, kept without what could run in it. */
export const html = textType('html', {
  ...long(),
  clean: cleanHtml,
  schema: { contentMediaType: 'text/html' },
})

export const code = textType('code', long())

export const email = textType('email', {
  length: 140,
  schema: { format: 'email' },
  form: { expected: 'an email address such as ann@example.com', accepts: isEmail },
  example: (n) => `ann${n + 1}@example.com`,
})

export const phone = textType('phone', {
  length: 140,
  form: { expected: 'a phone number such as +49 30 1234567', accepts: isPhone },
  example: (n) => `+49 30 ${1_000_000 + n}`,
})

export const url = textType('url', {
  length: 2000,
  schema: { format: 'uri' },
  form: { expected: 'an address that begins with http:// or https://', accepts: isWebAddress },
  example: (n) => `https://example.com/${n + 1}`,
})

/** Time zone of clocks: a name of the IANA database. */
export const timeZone = textType('time_zone', {
  length: 64,
  widget: 'text',
  form: { expected: 'a time zone such as Europe/Berlin', accepts: isTimeZone },
  example(n) {
    const zones = Intl.supportedValuesOf('timeZone')
    return zones[n % zones.length]!
  },
})

export const color = textType('color', {
  length: 140,
  searchable: false,
  form: { expected: 'a color such as #1f6feb', accepts: isColor },
  example: (n) => `#${(n % 0x1000000).toString(16).padStart(6, '0')}`,
})

/** Name of a file, kept as any system may save it. */
export const fileName = textType('file_name', {
  length: LONGEST_FILE_NAME,
  widget: 'text',
  clean: cleanFileName,
  example: (n) => `paper-${n + 1}.pdf`,
})

export const attach = fileType('attach', 'pdf')

export const attachImage = fileType('attach_image', 'png')

/** Password: kept encrypted, never shown, never found. */
export const password = textType('password', {
  length: 140,
  operators: [],
  searchable: false,
  inList: false,
  secret: true,
  schema: { format: 'password', writeOnly: true },
  example: (n) => `correct horse battery ${n + 1}`,
})

function long(): TextOptions {
  return { length: LONG_LENGTH, operators: [], multiline: true, inList: false }
}

function fileType(name: string, extension: string): FieldType {
  return textType(name, {
    length: 1000,
    searchable: false,
    widget: name.replace('_', '-'),
    form: { expected: 'the address of a file, as /files/… or https://…', accepts: isFileAddress },
    example: (n) => `/files/example-${n + 1}.${extension}`,
  })
}

function textType(name: string, options: TextOptions): FieldType {
  const { operators = COMPARED, multiline = false, form, secret = false, clean } = options
  const lengthOf = ({ length }: Field): number => length ?? options.length

  return {
    name,
    storage: 'text',
    kind: 'str',
    operators,
    searchable: options.searchable ?? true,
    inList: options.inList ?? true,
    secret,
    widget: options.widget ?? name,
    optionsMean: 'nothing',
    scaleOf: () => 0,
    schema: (field) => ({
      type: 'string',
      ...options.schema,
      maxLength: lengthOf(field),
      ...(field.pattern === undefined ? {} : { pattern: field.pattern }),
      ...described(field),
    }),
    read(input, field) {
      if (typeof input !== 'string') throw refusal('text', input)
      assertLength(input, lengthOf(field))
      const value = storableText(input)
      if (value === null) return null
      if (!multiline && (value.includes('\n') || value.includes('\r')))
        throw refusal('text in one line', value)
      if (form && !form.accepts(value)) throw refusal(form.expected, value)
      return clean ? cleaned(clean(value), lengthOf(field)) : value
    },
    // A part of an address is a fair thing to look for, so the form is asked of new values only.
    readText: (input) => storableText(input),
    verbatim: !secret,
    toWire: (value) => (secret ? null : value),
    toColumn: (value) => value as string,
    fromColumn: (column) => column,
    frappe: secret ? SECRET_FORM : TEXT_FORM,
    check: (field) => [
      ...pointlessKeys(field, options.pattern ? ['length', 'pattern'] : ['length']),
      ...lengthProblems(field),
      ...patternProblems(field, lengthOf(field)),
    ],
    example(field, n) {
      if (field.pattern !== undefined) return patternExample(field.pattern, n)
      const made = options.example?.(n) ?? `${field.label} ${n + 1}`
      const limit = lengthOf(field)
      return made.length <= limit
        ? made
        : String(n + 1)
            .slice(-limit)
            .padStart(Math.min(limit, 2), '0')
    },
  }
}

/** Cleaned text, unset where nothing is left. Cleaning may write `&` as `&amp;`. */
function cleaned(text: string, length: number): string | null {
  assertLength(text, length)
  return text === '' ? null : text
}

function lengthProblems({ length }: Field): KeyProblem[] {
  if (length === undefined || (Number.isInteger(length) && length >= 1 && length <= MAX_LENGTH))
    return []
  return [
    { key: 'length', message: `expected a whole number from 1 to ${MAX_LENGTH}, got ${length}` },
  ]
}

function patternProblems({ pattern }: Field, length: number): KeyProblem[] {
  if (pattern === undefined) return []
  const message = patternProblem(pattern, length)
  return message === undefined ? [] : [{ key: 'pattern', message }]
}

import type { Field } from '../../fields/field.ts'
import { fieldType } from '../../fields/index.ts'
import type { DocTypeDefinition, Service } from './definition.ts'

/** Field that a serving DocType must have. */
interface NeededField {
  readonly name: string
  readonly is: string
  readonly fits: (field: Field) => boolean
}

/** Need for a text; a select fits, a link does not. */
const text = (name: string): NeededField => ({
  name,
  is: 'a text',
  fits: ({ type, link }) => fieldType(type).kind === 'str' && link === undefined,
})

const check = (name: string): NeededField => ({
  name,
  is: 'a check',
  fits: ({ type }) => fieldType(type).kind === 'bool',
})

const amount = (name: string): NeededField => ({
  name,
  is: 'an amount',
  fits: ({ type }) => fieldType(type).kind === 'money',
})

const link = (name: string): NeededField => ({
  name,
  is: 'a link',
  fits: ({ link: target }) => target !== undefined,
})

const table = (name: string, columns: readonly string[]): NeededField => ({
  name,
  is: `a table with ${columns.join(', ')}`,
  fits: ({ child }) =>
    columns.every((column) => child?.fields.some((field) => field.name === column)),
})

/** Need for a link to a record of any kind: what it is about. */
const about = (name: string, kind: string): NeededField => ({
  name,
  is: `a dynamic_link by ${kind}`,
  fits: ({ linkFrom }) => linkFrom === kind,
})

/**
 * Fields that each service needs: who signs in, which roles there are, what the public contact form keeps, whose
 * workspace it is, which records people are limited to, how statuses move, what was said, given to do, mailed and
 * attached about a record, where files are, and which lines of bank statements are to be matched. The DocType says so by `serves:`, so that no code knows it by name.
 */
const SERVICES = {
  users: [
    text('email'),
    text('full_name'),
    check('enabled'),
    {
      name: 'roles',
      is: 'a table with a link `role`',
      fits: ({ child }: Field) =>
        child?.fields.some(({ name, link }) => name === 'role' && link !== undefined) === true,
    },
  ],
  roles: [text('role_name')],
  user_permissions: [
    { name: 'user', is: 'a link to users', fits: ({ link }) => link !== undefined },
    text('allow'),
    {
      name: 'for_value',
      is: 'a dynamic_link by allow',
      fits: ({ linkFrom }) => linkFrom === 'allow',
    },
    text('applicable_for'),
    check('is_default'),
    check('hide_descendants'),
  ],
  workflows: [
    text('workflow_name'),
    text('document_type'),
    text('workflow_state_field'),
    check('is_active'),
    table('states', ['state']),
    table('transitions', ['state', 'action', 'next_state', 'allowed']),
  ],
  contact_messages: [text('full_name'), text('email'), text('message')],
  companies: [text('company_name')],
  comments: [text('content'), about('reference_name', 'reference_doctype')],
  todos: [
    text('description'),
    { name: 'allocated_to', is: 'a link to users', fits: ({ link }) => link !== undefined },
    { name: 'date', is: 'a date', fits: ({ type }) => type === 'date' },
    about('reference_name', 'reference_type'),
  ],
  mails: [text('subject'), about('reference_name', 'reference_doctype')],
  mail_templates: [text('subject'), check('use_html'), text('response'), text('response_html')],
  files: [
    {
      name: 'file_name',
      is: 'a name of a file',
      fits: ({ type }) => type === 'file_name',
    },
    text('file_url'),
    check('is_private'),
    { name: 'file_size', is: 'a whole number', fits: ({ type }) => fieldType(type).kind === 'int' },
    text('content_hash'),
    text('folder'),
    text('attached_to_doctype'),
    about('attached_to_name', 'attached_to_doctype'),
    text('attached_to_field'),
  ],
  bank_statements: [
    link('bank_account'),
    text('file_name'),
    text('file_format'),
    text('content'),
    table('transactions', ['date', 'description', 'amount', 'is_duplicate']),
  ],
  bank_lines: [
    link('bank_account'),
    { name: 'date', is: 'a date', fits: ({ type }) => type === 'date' },
    amount('amount'),
    amount('unallocated_amount'),
    text('description'),
    text('reference_number'),
    link('suggested_payment'),
  ],
} as const satisfies Readonly<Record<Service, readonly NeededField[]>>

export const SERVICE_NAMES = Object.keys(SERVICES) as readonly Service[]

/** Fields a DocType lacks for what it says it serves: one message for each. */
export function serviceProblems({ serves, fields }: DocTypeDefinition): string[] {
  if (serves === undefined) return []
  return SERVICES[serves].flatMap(({ name, is, fits }) => {
    const field = fields.find((candidate) => candidate.name === name)
    return field && fits(field) ? [] : [`needs the field ${name}, ${is}, to serve ${serves}`]
  })
}

import type { DocTypeDefinition } from '../../definition/model/definition.ts'
import type { Field } from '../../fields/field.ts'
import { publicFields } from '../../fields/public-fields.ts'
import { inputSchema, isWritable } from './json-schema.ts'
import { nameExample } from './openapi-examples.ts'
import { tellExpressions } from './told-expression.ts'

const WORD = /[a-z_]\w*/g

/** Sentences about a create: what it needs, and what becomes of it. */
export function createText(definition: DocTypeDefinition): string {
  const { required = [] } = inputSchema(definition, 'create') as { required?: readonly string[] }
  const tell = tellExpressions(definition)
  const known = new Set(publicFields(definition).map(({ name }) => name))
  const sent = required
    .filter((name) => name === 'name' || known.has(name))
    .map((name) => `\`${name}\``)
  const elsewhere = publicFields(definition).flatMap((field) => {
    const isAsked = field.required && isWritable(field, 'create') && !required.includes(field.name)
    const told = isAsked && field.defaultValue === undefined ? tell(field.default) : undefined
    // What reads no other field is always there.
    return told?.match(WORD)?.some((word) => known.has(word))
      ? [`\`${field.name}\` (else \`${told}\`)`]
      : []
  })
  const needs = [...sent, ...elsewhere]
  return [
    needs.length > 0 ? `Needs ${needs.join(', ')}.` : 'Nothing has to be sent.',
    ...(definition.submittable ? ['The new one is a draft.'] : []),
  ].join(' ')
}

/** Sentence about reading one record, with an id as they look. */
export function getText(definition: DocTypeDefinition): string {
  const tables = publicFields(definition).filter(({ child }) => child !== undefined)
  const rows = tables.length > 0 ? ' with its rows' : ''
  return `One${rows}, by its id such as \`${nameExample(definition)}\`.`
}

/** Sentences about an update: when it is refused, and what it cannot set. */
export function updateText(definition: DocTypeDefinition): string {
  const fixed = publicFields(definition).filter(
    ({ createOnly, readOnly }) => createOnly && !readOnly,
  )
  return [
    definition.submittable ? 'Drafts only, else 409.' : 'Changes what the body names.',
    ...(fixed.length > 0 ? [`Only a create sets ${listed(fixed)}.`] : []),
  ].join(' ')
}

/** Sentence about a delete: what stands in its way. */
export function deleteText({ submittable }: DocTypeDefinition): string {
  return `409 while linked to${submittable ? ' or submitted' : ''}; needs scope admin.`
}

/** Sentence about a step in the life of a document. */
export const LIFE_TEXTS = {
  submit: 'Makes the draft binding: `docstatus` 1.',
  cancel: 'Takes back what its submit did: `docstatus` 2.',
  amend: 'A new draft of the cancelled one, named in `amended_from`.',
} as const

/** Sentence about what may change of a submitted document. */
export function reviseText(definition: DocTypeDefinition): string {
  const open = publicFields(definition).flatMap((field) => {
    if (field.allowOnSubmit) return [`\`${field.name}\``]
    const columns = field.child ? publicFields(field.child) : []
    return columns
      .filter((column) => column.allowOnSubmit)
      .map(({ name }) => `\`${field.name}.${name}\``)
  })
  return `Sets ${open.join(', ')} of a submitted one.`
}

function listed(fields: readonly Field[]): string {
  return fields.map(({ name }) => `\`${name}\``).join(', ')
}

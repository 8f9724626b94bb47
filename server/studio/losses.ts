import type { DocTypeDefinition } from '../../engine/definition/model/definition.ts'
import type { Field } from '../../engine/fields/field.ts'

/** What a change of a DocType takes away from people: records, fields and their values. Each is a sentence. */
export function lossesOf(
  before: DocTypeDefinition | undefined,
  after: DocTypeDefinition | undefined,
): readonly string[] {
  if (!before) return []
  if (!after)
    return [
      `${before.doctype} goes: nobody reaches its records any more. They stay in the table ${before.table}.`,
    ]
  return [
    ...moved(before, after),
    ...goneFields(before.fields, after.fields, ''),
    ...changedKinds(before.fields, after.fields, ''),
  ]
}

function moved(before: DocTypeDefinition, after: DocTypeDefinition): readonly string[] {
  if (before.slug === after.slug) return []
  return [
    `Its address changes from /v1/${before.slug} to /v1/${after.slug}: programs that use it have to be told.`,
  ]
}

/** Fields that are there no more, those of tables too. */
function goneFields(
  before: readonly Field[],
  after: readonly Field[],
  table: string,
): readonly string[] {
  const renamed = new Set(after.map(({ renamedFrom }) => renamedFrom))
  return before
    .filter(({ made }) => !made)
    .flatMap((field) => {
      const { name, child } = field
      const now = after.find((one) => one.name === name)
      if (now)
        return child ? goneFields(child.fields, now.child?.fields ?? [], `${table}${name}.`) : []
      if (renamed.has(name)) return []
      return [
        `${table}${name} goes: nobody sees its values any more. They stay in its column until \`svc migrate --retire\`, and are back with a field of the same name and kind.`,
      ]
    })
}

function changedKinds(
  before: readonly Field[],
  after: readonly Field[],
  table: string,
): readonly string[] {
  return before.flatMap((field) => {
    const now = after.find(({ name }) => name === field.name)
    if (!now) return []
    const inner = field.child
      ? changedKinds(field.child.fields, now.child?.fields ?? [], `${table}${field.name}.`)
      : []
    if (now.type === field.type) return inner
    return [
      `${table}${field.name} was ${field.type} and becomes ${now.type}: its values are converted, and what cannot be is refused.`,
      ...inner,
    ]
  })
}

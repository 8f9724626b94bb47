import { useDesk } from '../boot/desk-context.ts'
import type { FieldInfo, ResourceEntry } from '../data/types.ts'

/** What the records of a resource do for the workspace itself, as its definition declares (`serves`). */
export type Service =
  | 'users'
  | 'roles'
  | 'files'
  | 'mail_templates'
  | 'todos'
  | 'comments'
  | 'mails'
  | 'bank_statements'
  | 'bank_lines'

/** The resource that serves this, where the workspace has one and the person may see it. */
export function useServing(service: Service): ResourceEntry | undefined {
  const { boot } = useDesk()
  return boot.resources.find(({ serves, locked }) => serves === service && !locked)
}

/** Names of the fields by which a record says what it is about: a kind and an identifier. */
export function aboutFields(
  fields: readonly FieldInfo[],
): { readonly kind: string; readonly record: string } | undefined {
  const link = fields.find(({ resource_from }) => resource_from !== undefined)
  return link && { kind: link.resource_from!, record: link.name }
}

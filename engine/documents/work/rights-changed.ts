import type { Actor } from '../../access/actor.ts'
import { SECURITY } from '../../schema/catalogue/security-events.ts'
import { type Doc, rowsOf } from '../../storage/database/document.ts'
import type { EventLine } from './context.ts'
import type { Touched } from './touched.ts'

/** Line of the log for a person who has other roles than before, or is new and has some; undefined for all else. */
export function rightsChanged(
  { parts, name, start, current }: Touched,
  { address = null }: { readonly address?: Actor['address'] | null },
): EventLine | undefined {
  if (parts.definition.serves !== 'users' || !current) return undefined
  const [before, after] = [rolesOf(start), rolesOf(current)]
  if (before.join('\0') === after.join('\0')) return undefined
  const data = JSON.stringify({ id: name, person: name, address, before, after })
  return { resource: SECURITY, kind: 'roles_changed', record_id: name, data }
}

function rolesOf(doc: Doc | undefined): string[] {
  if (!doc) return []
  return [...new Set(rowsOf(doc, 'roles').map(({ role }) => String(role)))].sort()
}

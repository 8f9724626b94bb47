import { useDesk } from '../boot/desk-context.ts'
import type { Boot } from '../data/types.ts'
import type { PagePart, WorkPage } from '../home/workspace-types.ts'

/** The page of this address with the parts that the person may see, as the first workspace that has it says; undefined for none. */
export function useWorkPage(name: string): WorkPage | undefined {
  return workPage(useDesk().boot, name)
}

/** The page of this address in what boot tells. */
export function workPage({ workspaces = [] }: Boot, name: string): WorkPage | undefined {
  return workspaces.flatMap(({ pages = [] }) => pages).find(({ page }) => page === name)
}

/** The field that plays a role in a part. Throws for a part that has none of that name, which the server does not send. */
export function fieldOf({ fields, resource }: PagePart, role: string): string {
  const field = fields[role]
  if (field === undefined) throw new Error(`expected a field for ${role} of ${resource}`)
  return field
}

/** Address of the list of a part: its filter, and these parameters. */
export function listPath(
  { resource, filter = '' }: PagePart,
  parameters: Readonly<Record<string, string>>,
): string {
  const query = new URLSearchParams([...new URLSearchParams(filter), ...Object.entries(parameters)])
  return `/v1/${resource}?${query}`
}

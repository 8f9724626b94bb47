import { useDesk } from '../boot/desk-context.ts'
import type { Knowing } from './layout.ts'

/** The company of the workspace, as records link to it. */
export function useOwnCompany(): Knowing['company'] {
  const { boot } = useDesk()
  const id = boot.workspace.company
  const slug = boot.resources.find(({ serves }) => serves === 'companies')?.slug
  return slug !== undefined && typeof id === 'string' ? { resource: slug, id } : undefined
}

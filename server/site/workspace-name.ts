import { BRAND } from '../../engine/base/brand.ts'
import { firstCompany } from '../../engine/storage/workspace/company.ts'
import type { Site } from './site.ts'

/** Name of the workspace on pages and in mail: its company's, the brand where there is none yet. */
export async function workspaceName({ engine }: Pick<Site, 'engine'>): Promise<string> {
  const { registry, database } = engine.services
  const definition = registry.serving('companies')
  return (definition && (await firstCompany(database.read, definition))) ?? BRAND
}

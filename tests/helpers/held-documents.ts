import type { DocTypeDefinition } from '../../engine/definition/model/definition.ts'
import { getDocument } from '../../engine/documents/operations/get.ts'
import type { Context } from '../../engine/documents/work/context.ts'
import { list } from './reading-checks.ts'

/** True for a document that posted, or whose submit made others that are kept and name it. */
export async function isHeld(
  context: Context,
  { doctype }: DocTypeDefinition,
  name: string,
): Promise<boolean> {
  if (await hasPosted(context, name)) return true
  const { database, registry } = context.services
  const made = await database.read
    .selectFrom('svc_journal')
    .select(['target_doctype', 'target_name'])
    .where('doctype', '=', doctype)
    .where('name', '=', name)
    .where('kind', '=', 'created')
    .execute()
  for (const { target_doctype, target_name } of made) {
    const definition = registry.byDoctype(String(target_doctype))!
    const kept = await getDocument(context, definition, String(target_name)).catch(() => undefined)
    if (kept && Object.values(kept.record).includes(name)) return true
  }
  return false
}

/** True for a document with rows in a ledger. */
async function hasPosted(context: Context, id: string): Promise<boolean> {
  const ledgers = context.services.registry.all.filter(({ behaviour }) => behaviour.ledger)
  for (const ledger of ledgers) {
    const { data } = await list(context, ledger, [['voucher_no', id]])
    if (data.length > 0) return true
  }
  return false
}

import type { DocTypeDefinition } from '../../definition/model/definition.ts'
import { REVERSES, VOUCHER_NO, VOUCHER_TYPE } from '../../definition/model/ledger-fields.ts'
import type { Db } from '../database/database.ts'

/** The document that posted rows to a ledger. */
export interface Voucher {
  readonly doctype: string
  readonly name: string
}

/** Names of the rows of a ledger that a document posted and that no mirror row takes back, oldest first. */
export async function rowsToReverse(
  tx: Db,
  { table }: DocTypeDefinition,
  { doctype, name }: Voucher,
): Promise<readonly string[]> {
  const rows = await tx
    .selectFrom(`${table} as r`)
    .select(['r.name as name'])
    .where(`r.${VOUCHER_NO}`, '=', name)
    .where(`r.${VOUCHER_TYPE}`, '=', doctype)
    .where(`r.${REVERSES}`, 'is', null)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom(`${table} as m`).select('m.rid').whereRef(`m.${REVERSES}`, '=', 'r.name'),
        ),
      ),
    )
    .orderBy('r.rid')
    .execute()
  return rows.map((row) => String(row.name))
}

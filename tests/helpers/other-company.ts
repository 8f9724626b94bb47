import type { DocTypeDefinition } from '../../engine/definition/model/definition.ts'
import { listDocuments } from '../../engine/documents/lists/list.ts'
import { createDocument } from '../../engine/documents/operations/create.ts'
import type { Context } from '../../engine/documents/work/context.ts'
import type { Field } from '../../engine/fields/field.ts'
import { readListQuery } from '../../server/http/list-params.ts'
import type { Body } from './generate.ts'

export const OTHER_COMPANY = 'Blau GmbH'
const ABBR = 'BG'
const PAGE = 100

/**
 * Makes a second company with a currency of its own. Gives what turns a body into that company's: its name, and its accounts,
 * warehouses and cost centers in place of those that are called the same.
 */
export async function otherCompany(
  context: Context,
): Promise<(definition: DocTypeDefinition, body: Body) => Body> {
  const { registry } = context.services
  await createDocument(context, registry.byDoctype('Company')!, {
    company_name: OTHER_COMPANY,
    abbr: ABBR,
    default_currency: 'EUR',
    country: 'Germany',
    chart_of_accounts: 'General',
  })
  const theirs = new Set<string>()
  for (const doctype of ['Account', 'Warehouse', 'Cost Center']) {
    const definition = registry.byDoctype(doctype)!
    for (let offset = 0; ; offset += PAGE) {
      const query = readListQuery(context.services, definition, [
        ['limit', String(PAGE)],
        ['offset', String(offset)],
        ['company', OTHER_COMPANY],
      ])
      const { data } = await listDocuments(context, definition, query)
      for (const { id } of data) theirs.add(`${doctype}\0${id}`)
      if (data.length < PAGE) break
    }
  }

  const theirValue = ({ link, child }: Field, value: unknown): unknown => {
    if (child && Array.isArray(value)) return value.map((row) => moved(child.fields, row as Body))
    if (link === 'Company') return OTHER_COMPANY
    const name = `${String(value)} - ${ABBR}`
    return theirs.has(`${link}\0${name}`) ? name : value
  }
  const moved = (fields: readonly Field[], body: Body): Body => {
    const known = new Map(fields.map((field) => [field.name, field]))
    return Object.fromEntries(
      Object.entries(body).map(([name, value]) => {
        const field = known.get(name)
        return [name, field ? theirValue(field, value) : value]
      }),
    )
  }
  return ({ fields }, body) => {
    const isOwned = fields.some(({ name, link }) => name === 'company' && link === 'Company')
    return { ...moved(fields, body), ...(isOwned && { company: OTHER_COMPANY }) }
  }
}

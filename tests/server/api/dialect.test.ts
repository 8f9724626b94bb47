import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { openSite, type Site } from './site.ts'

const dialect = suite('names of another system')

let site: Site
dialect.before(async () => {
  site = await openSite({ settings: { rateLimit: false }, tier: 'business' })
})
dialect.after(() => site?.close())

const METHODS = '/api/method/erpnext.selling.doctype.sales_order.sales_order'

dialect('are refused after rights, so that nobody learns more than they may', async () => {
  const stranger = await site.addPerson('bob@example.com', [])
  const create = (json: object, as?: string) =>
    site.call('POST', '/api/resource/Sales%20Order', { json, ...(as ? { as } : {}) })
  assert.is((await create({ ignore_pricing_rule: 1 }, stranger)).status, 403)
  const refused = await create({ ignore_pricing_rule: 1 })
  assert.equal([refused.status, refused.body.errors[0].field], [417, 'ignore_pricing_rule'])
})

dialect('have methods that ask for the rights of what they do', async () => {
  const stranger = await site.addPerson('eve@example.com', [])
  const paths = [
    `${METHODS}.make_sales_invoice?source_name=SO-1`,
    '/api/method/erpnext.stock.get_item_details.get_item_details?item_code=A',
    '/api/method/erpnext.accounts.utils.get_balance_on?account=Bank',
  ]
  for (const path of paths) {
    assert.is((await site.call('GET', path, { as: stranger })).status, 403, path)
    assert.is((await site.call('GET', path, { as: null })).status, 403, `${path} of a guest`)
  }
})

dialect('have methods that tell what they want', async () => {
  const told = async (path: string): Promise<string> =>
    (await site.call('GET', `/api/method/${path}`)).body.message
  assert.match(
    await told('erpnext.accounts.doctype.payment_entry.payment_entry.get_payment_entry?dt=Note'),
    /expected dt to be one of Sales Invoice/,
  )
  assert.match(
    (await site.call('GET', `${METHODS}.make_sales_invoice?source_name=SO-1&target_doc=%7B%7D`))
      .body.message,
    /target_doc/,
  )
  assert.is((await site.call('GET', `${METHODS}.make_sales_invoice?source_name=SO-1`)).status, 404)
})

dialect.run()

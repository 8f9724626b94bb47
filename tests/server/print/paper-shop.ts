import { join } from 'node:path'
import supertest from 'supertest'
import * as assert from 'uvu/assert'
import { createMasters } from '../../../cli/setup/masters.ts'
import { SYSTEM_ACTOR } from '../../../engine/access/actor.ts'
import type { TestDatabase } from '../../helpers/databases.ts'
import { bearer, openTestApp, type TestApp } from '../test-app.ts'

const FOLDER = join(import.meta.dirname, '../../../doctypes')

/** A German company whose papers are printed. */
export interface PaperShop {
  readonly api: TestApp
  /** Creates by the API, and submits where `submit` says so; the record's name. */
  make(slug: string, body: object, submit?: boolean): Promise<string>
  /** The page that a key of scope read gets. */
  page(path: string, key?: string): Promise<supertest.Response>
}

/** Opens a workspace of Nordwind GmbH with its address, its bank account, two customers and two items. */
export async function openPaperShop(database: TestDatabase): Promise<PaperShop> {
  const api = await openTestApp({
    database,
    doctypes: {},
    tier: 'business',
    settings: { rateLimit: false },
    furniture: {
      name: 'masters without a company',
      async put(engine) {
        await createMasters(engine.context(SYSTEM_ACTOR, 'business'), [FOLDER])
      },
    },
  })
  const headers = { authorization: bearer(api.keys.admin) }

  async function make(slug: string, body: object, submit = false): Promise<string> {
    const made = await supertest(api.app).post(`/v1/${slug}`).set(headers).send(body)
    assert.is(made.status, 201, made.text)
    if (submit) {
      const path = `/v1/${slug}/${encodeURIComponent(made.body.id)}/submit`
      const done = await supertest(api.app).post(path).set(headers)
      assert.is(done.status, 200, done.text)
    }
    return made.body.id
  }

  await make('companies', {
    company_name: 'Nordwind GmbH',
    default_currency: 'EUR',
    country: 'Germany',
    tax_id: 'DE811111111',
    phone_no: '+49 40 1234567',
    email: 'hallo@nordwind.example',
    company_logo: '/files/nordwind.svg',
  })
  const address = (doctype: string, name: string, body: object): Promise<string> =>
    make('addresses', { ...body, links: [{ link_doctype: doctype, link_name: name }] })
  await address('Company', 'Nordwind GmbH', {
    address_line1: 'Hafenstraße 12',
    pincode: '20457',
    city: 'Hamburg',
    country: 'Germany',
  })
  await make('banks', { bank_name: 'Hamburger Bank' })
  await make('bank-accounts', {
    account_name: 'Geschäftskonto',
    bank: 'Hamburger Bank',
    company: 'Nordwind GmbH',
    iban: 'DE02120300000000202051',
    is_default: true,
  })
  const customer = await make('customers', {
    customer_name: 'Blue Whale Inc.',
    tax_id: 'US-77',
    language: 'en',
  })
  await address('Customer', customer, {
    address_line1: '1 Ocean Drive',
    city: 'Miami',
    state: 'FL',
    pincode: '33139',
    country: 'United States',
    disabled: true,
  })
  await address('Customer', customer, {
    address_line1: '500 Market Street',
    city: 'San Francisco',
    state: 'CA',
    pincode: '94105',
    country: 'United States',
  })
  await make('items', { item_code: 'LAMP', item_name: 'Desk lamp', is_stock_item: false })
  await make('items', { item_code: 'CABLE', item_name: 'Cable', is_stock_item: false })

  return {
    api,
    make,
    page: (path, key = api.keys.read) =>
      supertest(api.app)
        .get(path)
        .set({ authorization: bearer(key) }),
  }
}

/** An invoice to the first customer: 2 lamps at 1,250.50, 30 cables at 0.123, 10 % off the whole, VAT of 19 %. */
export const INVOICE = {
  customer: 'CUST-00001',
  po_no: 'PO 4711',
  items: [
    { item_code: 'LAMP', qty: 2, rate: 1250.5, description: 'Brass, with a green shade' },
    { item_code: 'CABLE', qty: 30, rate: 0.123 },
  ],
  additional_discount_percentage: 10,
  taxes: [{ account_head: 'Output Tax', description: 'VAT', rate: 19 }],
  remarks: 'Thank you.\nSee you soon.',
}

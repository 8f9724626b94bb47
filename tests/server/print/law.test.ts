import { readFileSync } from 'node:fs'
import * as assert from 'uvu/assert'
import { onDatabase } from '../../helpers/databases.ts'
import { openPaperShop, type PaperShop } from './paper-shop.ts'
import { textsOf } from './texts.ts'

/** What the law of a country asks of an invoice, and what it reads on the paper; the number is that of docs/print.md. */
type Asked = Readonly<Record<string, string>>

interface Seller {
  readonly country: string
  readonly currency: string
  readonly abbr: string
  readonly chart: string
  readonly tax_id: string
  readonly legal_notice: string
  readonly city: readonly [pincode: string, city: string, state?: string]
  readonly tax?: string
  readonly language: string
  readonly asked: Asked
}

// 2 hours at 100 less 10 %: 180.
const SELLERS: readonly Seller[] = [
  {
    country: 'Germany',
    currency: 'EUR',
    abbr: 'DE',
    chart: 'Germany SKR04',
    tax_id: 'DE811111111',
    legal_notice: 'Sitz Hamburg, HRB 4711, Geschäftsführerin Ada Nord',
    city: ['20457', 'Hamburg'],
    language: 'de',
    asked: {
      'no. 1':
        'Seller Germany\nHafenstr. 1 · 20457 Hamburg\nRechnung an\nKäufer AG\nRing 9\n10115 Berlin\nUSt-IdNr.',
      'no. 2': 'USt-IdNr. DE811111111',
      'no. 3': 'Rechnungsdatum\n01.03.2026',
      'no. 4': 'SINV-2026-',
      'no. 5': '1\nConsulting\n2\n',
      'no. 6': 'Leistungsdatum\n27.02.2026',
      'no. 7': 'Rabatt\n-20,00 €\nVAT 19 % von 180,00 €',
      'no. 8': 'VAT 19 % von 180,00 €\n34,20 €\nGesamtbetrag\n214,20 €',
      '§ 35a GmbHG': 'HRB 4711',
    },
  },
  {
    country: 'Austria',
    currency: 'EUR',
    abbr: 'AT',
    chart: 'General',
    tax_id: 'ATU12345678',
    legal_notice: 'FN 123456a, Handelsgericht Wien',
    city: ['1010', 'Wien'],
    language: 'de',
    asked: {
      'lit. a': 'Seller Austria\nHafenstr. 1 · 1010 Wien',
      'lit. b': 'Rechnung an\nKäufer AG\nRing 9\n10115 Berlin\nDeutschland\nUSt-IdNr.\nDE77',
      'lit. c': '1\nConsulting\n2\n',
      'lit. d': 'Leistungsdatum\n27.02.2026',
      'lit. e': 'VAT 20 % von',
      'lit. f': '36,00\nGesamtbetrag',
      'lit. g': 'Rechnungsdatum\n01.03.2026',
      'lit. h': 'SINV-2026-',
      'lit. i': 'USt-IdNr. ATU12345678',
      '§ 14 UGB': 'FN 123456a',
    },
  },
  {
    country: 'France',
    currency: 'EUR',
    abbr: 'FR',
    chart: 'General',
    tax_id: 'FR32123456789',
    legal_notice: 'SARL au capital de 10 000 €, SIREN 123 456 789, RCS Paris',
    city: ['75001', 'Paris'],
    language: 'fr',
    asked: {
      '1°': 'Seller France\nHafenstr. 1 · 75001 Paris',
      '1°, SIREN': 'SIREN 123 456 789',
      '2°': 'FR32123456789',
      '4°': 'DE77',
      '6°': '2026',
      '7°': 'SINV-2026-',
      '8°': '1\nConsulting\n2\n',
      '10°': 'Date de livraison ou de prestation\n27',
      '11°': 'VAT 20 % sur',
      'R123-237': 'RCS Paris',
    },
  },
  {
    country: 'United States',
    currency: 'USD',
    abbr: 'US',
    chart: 'United States',
    tax_id: '12-3456789',
    legal_notice: '',
    city: ['10001', 'New York', 'NY'],
    tax: 'Sales Tax 7 % - US',
    language: 'en',
    asked: {
      name: 'Seller United States\nHafenstr. 1 · New York, NY 10001',
      '§ 1132 (a)': 'Sales tax 7 % of $180.00\n$12.60\nGrand Total\n$192.60',
    },
  },
]

onDatabase('sqlite', 'the law of', ({ test, create }) => {
  let shop: PaperShop
  let customer: string

  test.before(async () => {
    shop = await openPaperShop(await create())
    customer = await shop.make('customers', { customer_name: 'Käufer AG', tax_id: 'DE77' })
    await shop.make('addresses', {
      address_line1: 'Ring 9',
      pincode: '10115',
      city: 'Berlin',
      country: 'Germany',
      links: [{ link_doctype: 'Customer', link_name: customer }],
    })
    await shop.make('items', { item_code: 'TALK', item_name: 'Consulting', is_stock_item: false })
  })
  test.after(() => shop.api.close())

  for (const { country, asked, language, city, tax, ...seller } of SELLERS)
    test(`${country} finds on an invoice what it asks for`, async () => {
      const company = await shop.make('companies', {
        company_name: `Seller ${country}`,
        abbr: seller.abbr,
        default_currency: seller.currency,
        country,
        tax_id: seller.tax_id,
        legal_notice: seller.legal_notice,
        chart_of_accounts: seller.chart,
      })
      const [pincode, town, state] = city
      await shop.make('addresses', {
        address_line1: 'Hafenstr. 1',
        pincode,
        city: town,
        state,
        country,
        links: [{ link_doctype: 'Company', link_name: company }],
      })
      const body = {
        company,
        customer,
        currency: seller.currency,
        service_date: '2026-02-27',
        additional_discount_percentage: 10,
        items: [{ item_code: 'TALK', qty: 2, rate: 100 }],
        ...(tax === undefined ? {} : { taxes_and_charges: tax }),
      }
      const id = await shop.make('sales-invoices', body, true)
      const paper = textsOf((await shop.page(`/print/sales-invoices/${id}?lang=${language}`)).text)
      for (const [where, text] of Object.entries(asked))
        assert.ok(paper.includes(text), `${where}: ${text} is not in\n${paper}`)
    })

  test('the docs name the paragraphs that are tried', () => {
    const docs = readFileSync(new URL('../../../docs/print.md', import.meta.url), 'utf8')
    for (const { asked } of SELLERS)
      for (const where of Object.keys(asked)) {
        const [paragraph = ''] = where.split(',')
        if (paragraph !== 'name') assert.ok(docs.includes(paragraph), paragraph)
      }
  })
})

import { hash } from 'node:crypto'
import supertest from 'supertest'
import * as assert from 'uvu/assert'
import { forEachDatabaseWhenDeep } from '../../helpers/databases.ts'
import { pdfLines } from '../../helpers/pdf-text.ts'
import { addPerson, cookieOf } from '../auth/people.ts'
import { bearer } from '../test-app.ts'
import { INVOICE, openPaperShop, type PaperShop } from './paper-shop.ts'
import { textsOf } from './texts.ts'

/** The PDF of the invoice: where each text begins, in points from the left and the top. */
const PDF_LINES = `
48,61 Nordwind GmbH
48,76 Hafenstraße 12 · 20457 Hamburg
48,112 Bill To
48,124 Blue Whale Inc.
48,137 500 Market Street
48,151 San Francisco, CA 94105
48,164 United States
48,177 Tax ID
150,177 US-77
333,121 Invoice
333,136 SINV-2026-00001
333,157 Invoice Date
435,157 1 Mar 2026
333,171 Date of Supply
435,171 1 Mar 2026
333,185 Due Date
435,185 31 Mar 2026
333,200 Your Order No.
435,200 PO 4711
48,236 #
66,236 Item
415,236 Quantity
474,236 Price
510,236 Amount
48,258 1
66,258 Desk lamp
66,270 Brass, with a green shade
443,258 2
460,258 1.250,50
507,258 2.501,00
48,291 2
66,291 Cable
438,291 30
473,291 0,123
524,291 3,69
317,317 Total
499,317 2.504,69 €
317,331 Discount Amount
504,331 -250,47 €
317,346 VAT 19 % of 2.254,22 €
507,346 428,30 €
317,362 Grand Total
489,362 2.682,52 €
48,398 Bank Details
48,415 Bank
150,415 Hamburger Bank
48,430 IBAN
150,430 DE02120300000000202051
48,457 Remarks
48,474 Thank you.
48,488 See you soon.
48,805 Nordwind GmbH · +49 40 1234567 · hallo@nordwind.example · Tax ID DE811111111
532,805 1 / 1
`

forEachDatabaseWhenDeep('papers', ({ test, create }) => {
  let shop: PaperShop
  let invoice: string

  test.before(async () => {
    shop = await openPaperShop(await create())
    invoice = `/print/sales-invoices/${await shop.make('sales-invoices', INVOICE, true)}`
  })
  test.after(() => shop.api.close())

  test('say everything that an invoice has to', async () => {
    const { status, headers, text } = await shop.page(invoice)
    assert.is(status, 200, text)
    assert.match(headers['content-type'] ?? '', /^text\/html; charset=utf-8$/)
    assert.is(headers['cache-control'], 'no-store')
    assert.match(text, '<html lang="en">')
    assert.match(text, '<title>Invoice SINV-2026-00001</title>')
    // 2 × 1,250.50 + 30 × 0.123 = 2,501 + 3.69; less 10 % 2,254.22; VAT 19 % of it 428.3018
    assert.is(
      textsOf(text),
      [
        'Nordwind GmbH\nHafenstraße 12 · 20457 Hamburg',
        // the customer's address that is not disabled, as one writes it there
        'Bill To\nBlue Whale Inc.\n500 Market Street\nSan Francisco, CA 94105\nUnited States',
        'Tax ID\nUS-77',
        'Invoice\nSINV-2026-00001',
        'Invoice Date\n1 Mar 2026\nDate of Supply\n1 Mar 2026\nDue Date\n31 Mar 2026\nYour Order No.\nPO 4711',
        '#\nItem\nQuantity\nPrice\nAmount',
        '1\nDesk lamp\nBrass, with a green shade\n2\n1.250,50\n2.501,00',
        '2\nCable\n30\n0,123\n3,69',
        'Total\n2.504,69 €\nDiscount Amount\n-250,47 €\nVAT 19 % of 2.254,22 €\n428,30 €',
        'Grand Total\n2.682,52 €',
        'Bank Details\nBank\nHamburger Bank\nIBAN\nDE02120300000000202051',
        'Remarks\nThank you.\nSee you soon.',
        'Nordwind GmbH\n+49 40 1234567\nhallo@nordwind.example\nTax ID DE811111111',
      ].join('\n'),
    )
  })

  test('are PDF too: the same texts, each at its place, by the same rights', async () => {
    const { status, headers, body } = await shop.page(`${invoice}?format=pdf`)
    assert.equal(
      [status, headers['content-type'], headers['content-disposition']],
      [
        200,
        'application/pdf',
        `inline; filename="Invoice SINV-2026-00001.pdf"; filename*=UTF-8''Invoice%20SINV-2026-00001.pdf`,
      ],
    )
    const lines = pdfLines(body).map((line) => line.replaceAll('\u00a0', ' '))
    assert.is(lines.join('\n'), PDF_LINES.trim())
    assert.is((await shop.page(`${invoice}?format=doc`)).status, 422)
    const guest = await supertest(shop.api.app).get(`${invoice}?format=pdf`)
    assert.is(guest.status, 303)
  })

  test('are in the language that is asked for, of the customer, of the country', async () => {
    const german = textsOf((await shop.page(`${invoice}?lang=de`)).text)
    for (const part of [
      'Rechnung\nSINV',
      'Vereinigte Staaten',
      'Gesamtbetrag\n2.682,52 €',
      '01.03.2026',
    ])
      assert.match(german, part)
    assert.match(textsOf((await shop.page(`${invoice}?lang=fr`)).text), 'Facture\nSINV')
    const spanish = await shop.page(`${invoice}?lang=es&paper=letter`)
    assert.match(spanish.text, '<body class="letter">')
    assert.match(textsOf(spanish.text), 'Estados Unidos')
    const id = await shop.make('customers', { customer_name: 'Weber KG' })
    const order = await shop.make('sales-orders', {
      ...INVOICE,
      remarks: undefined,
      customer: id,
      delivery_date: '2026-03-20',
    })
    const { text } = await shop.page(`/print/sales-orders/${order}`)
    assert.match(text, '<html lang="de">')
    assert.match(text, '<body class="a4">')
    // It was never submitted.
    assert.match(textsOf(text), 'Entwurf\nNordwind GmbH')
    assert.match(textsOf(text), 'Auftragsbestätigung')
    for (const query of ['lang=xx', 'lang=', 'paper=a5'])
      assert.is((await shop.page(`${invoice}?${query}`)).status, 422, query)
  })

  test('are stamped when they are cancelled, and called otherwise when they take back', async () => {
    const id = await shop.make('sales-invoices', { ...INVOICE, po_no: '' }, true)
    const headers = { authorization: bearer(shop.api.keys.admin) }
    await supertest(shop.api.app).post(`/v1/sales-invoices/${id}/cancel`).set(headers)
    assert.match(
      (await shop.page(`/print/sales-invoices/${id}`)).text,
      '<p class="stamp" data-stamp="Cancelled"><span>Cancelled</span></p>',
    )
    assert.not.match((await shop.page(invoice)).text, 'class="stamp"')
    const credit = await shop.make('sales-invoices', {
      ...INVOICE,
      is_return: true,
      items: [{ item_code: 'LAMP', qty: -1, rate: 10 }],
    })
    assert.match((await shop.page(`/print/sales-invoices/${credit}`)).text, '<h1>Credit Note</h1>')
  })

  test('name the documents that they are about by their numbers', async () => {
    const paid = await shop.make('payment-entries', {
      payment_type: 'Receive',
      party_type: 'Customer',
      party: 'CUST-00001',
      paid_amount: 500,
      mode_of_payment: 'Cash',
      references: [
        {
          reference_doctype: 'Sales Invoice',
          reference_name: invoice.split('/').at(-1),
          allocated_amount: 500,
        },
      ],
    })
    const texts = textsOf((await shop.page(`/print/payment-entries/${paid}`)).text)
    assert.match(texts, 'Payment Receipt')
    assert.match(texts, '1\nSINV-2026-00001\n500,00')
    assert.match(texts, '500 Market Street')
  })

  test('of records that say nothing about it tell what their forms do', async () => {
    const texts = textsOf((await shop.page('/print/items/LAMP')).text)
    assert.match(texts, 'Nordwind GmbH')
    assert.match(texts, 'Item\nLAMP\nItem\nItem Code\nLAMP\nName\nDesk lamp')
    assert.not.match(texts, 'null')
  })

  test('are for who may read the record, and say no more of others than they may read', async () => {
    const { app, engine } = shop.api
    const asked = async (roles: readonly string[], path: string, login = 'guest') => {
      if (login === 'guest') return supertest(app).get(path)
      const { cookie } = await cookieOf(engine, await addPerson(engine, login, roles))
      return supertest(app).get(path).set({ cookie })
    }
    const guest = await asked([], `${invoice}?lang=de`)
    assert.is(guest.status, 303)
    assert.is(
      guest.headers.location,
      `/login?redirect-to=${encodeURIComponent(`${invoice}?lang=de`)}`,
    )
    assert.is((await shop.page(invoice, 'svc_live_nonsense')).status, 401)
    assert.is((await asked([], invoice, 'plain@example.com')).status, 403)
    assert.is((await asked(['Accounts User'], invoice, 'books@example.com')).status, 200)
    // Purchasing may read invoices, which say whom they went to, but no customers; the letterhead is everybody's.
    const bought = await asked(['Purchase User'], invoice, 'buyer@example.com')
    assert.is(bought.status, 200)
    const written = '500 Market Street\nSan Francisco, CA 94105\nUnited States'
    assert.match(textsOf(bought.text), `Bill To\nBlue Whale Inc.\n${written}\nInvoice\n`)
    assert.match(bought.text, 'DE02120300000000202051')
    for (const path of [
      '/print/sales-invoices/SINV-0',
      '/print/nothing/SINV-0',
      '/print/sales-invoices/%00',
    ]) {
      const { status, text } = await shop.page(path)
      assert.is(status, 404, path)
      assert.match(text, '<!doctype html>')
    }
  })

  test('are the paper alone for a program, and lead on in a browser', async () => {
    const kept = await shop.page(invoice)
    assert.not.match(kept.text, '<nav')
    assert.not.match(kept.text, /href="(?!data:,)/)
    assert.match(kept.text, '<img src="http://svc.test/files/nordwind.svg" alt="">')
    const reader = await addPerson(shop.api.engine, 'reader@example.com', ['Accounts User'])
    const { cookie } = await cookieOf(shop.api.engine, reader)
    const { text } = await supertest(shop.api.app)
      .get(invoice)
      .set({ cookie, Accept: 'text/html,application/xhtml+xml,*/*;q=0.8' })
    assert.match(text, '<nav class="choices"')
    assert.match(text, 'href="?lang=de&amp;paper=a4"')
    assert.match(text, '<img src="/files/nordwind.svg" alt="">')
  })

  test('run no script, load nothing from elsewhere, and are only read', async () => {
    const { headers, text } = await shop.page(invoice)
    const policy = headers['content-security-policy'] ?? ''
    for (const part of [
      "default-src 'none'",
      "style-src 'self'",
      "img-src 'self'",
      "frame-ancestors 'none'",
    ])
      assert.match(policy, part)
    assert.not.match(policy, 'script-src')
    assert.not.match(text, /<script| style=| on\w+=|<link rel="stylesheet"|url\(|@import/)
    const styles = [...text.matchAll(/<style>(.*?)<\/style>/gs)].map(([, css = '']) => css)
    assert.is(styles.length, 1)
    assert.match(policy, `'sha256-${hash('sha256', styles[0] ?? '', 'base64')}'`)
    const set = { authorization: bearer(shop.api.keys.admin) }
    const head = await supertest(shop.api.app).head(invoice).set(set)
    assert.equal([head.status, head.text], [200, undefined])
    const post = await supertest(shop.api.app).post(invoice).set(set)
    assert.equal([post.status, post.headers.allow], [405, 'GET, HEAD'])
    const logo = { company_logo: 'https://elsewhere.example/logo.png' }
    await supertest(shop.api.app).patch('/v1/companies/Nordwind%20GmbH').set(set).send(logo)
    assert.not.match((await shop.page(invoice)).text, /<img|elsewhere/)
  })
})

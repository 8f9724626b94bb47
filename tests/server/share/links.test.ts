import supertest from 'supertest'
import * as assert from 'uvu/assert'
import { forEachDatabaseWhenDeep } from '../../helpers/databases.ts'
import { pdfLines } from '../../helpers/pdf-text.ts'
import { addPerson, changePerson, cookieOf } from '../auth/people.ts'
import { INVOICE, openPaperShop, type PaperShop } from '../print/paper-shop.ts'
import { bearer } from '../test-app.ts'

const DAY = 24 * 60 * 60 * 1000

forEachDatabaseWhenDeep('links to papers', ({ test, create }) => {
  let shop: PaperShop
  let invoice: string
  let cookie: string

  test.before(async () => {
    shop = await openPaperShop(await create())
    invoice = `/v1/sales-invoices/${await shop.make('sales-invoices', INVOICE, true)}`
    const ann = await addPerson(shop.api.engine, 'ann', ['Accounts User'])
    cookie = (await cookieOf(shop.api.engine, ann)).cookie
  })
  test.after(() => shop.api.close())

  const key = (method: 'get' | 'post' | 'delete', path: string) =>
    supertest(shop.api.app)[method](path).set('Authorization', bearer(shop.api.keys.admin))
  const link = async (body: object = {}) => {
    const made = await key('post', `${invoice}/links`).send(body)
    assert.is(made.status, 201, made.text)
    return { ...made.body, path: new URL(made.body.url).pathname } as {
      readonly id: string
      readonly path: string
      readonly expires: string
    }
  }
  const see = (path: string) => supertest(shop.api.app).get(path)

  test('show the paper, its state and its PDF to who has them, for 30 days', async () => {
    const { path, expires } = await link()
    const page = await see(path)
    assert.is(page.status, 200, page.text)
    assert.match(page.text, 'Blue Whale Inc.')
    assert.match(page.text, /<b aria-current="true">Unpaid<\/b>/)
    assert.equal(
      ['cache-control', 'x-content-type-options', 'x-robots-tag', 'referrer-policy'].map(
        (name) => page.headers[name],
      ),
      ['no-store', 'nosniff', 'noindex, nofollow, noarchive', 'same-origin'],
    )
    assert.match(page.headers['content-security-policy'] ?? '', "default-src 'none'")
    const pdf = await see(`${path}?format=pdf&lang=de`)
    assert.equal(
      [pdf.headers['content-type'], pdf.headers['x-robots-tag']],
      ['application/pdf', 'noindex, nofollow, noarchive'],
    )
    // What the page says itself is in the language of the paper.
    assert.match((await see(`${path}?lang=de`)).text, 'Eine Frage dazu')
    assert.ok(pdfLines(pdf.body).some((line) => line.endsWith(' Rechnung')))
    const { clock } = shop.api
    assert.is(Date.parse(expires), clock.now() + 30 * DAY)
    assert.is((await see(`${path.slice(0, -1)}x`)).status, 404)
    const { rows } = {
      rows: await shop.api.engine.services.database.read
        .selectFrom('svc_public_links')
        .selectAll()
        .execute(),
    }
    assert.not.match(JSON.stringify(rows), path.split('/').at(-1)!)
  })

  test('end when they are over or somebody ends them', async () => {
    const { clock } = shop.api
    const soon = new Date(clock.now() + 60_000).toISOString()
    const { path } = await link({ expires: soon })
    assert.is((await see(path)).status, 200)
    clock.advance(61_000)
    assert.is((await see(path)).status, 404)
    const other = await link()
    assert.is((await key('delete', `/v1/links/${other.id}`)).status, 204)
    assert.is((await see(other.path)).status, 404)
    for (const id of [other.id, '%00', "pub_'", '..%2f'])
      assert.is((await key('delete', `/v1/links/${id}`)).status, 404, id)
    for (const expires of ['yesterday', '2020-01-01', '2999-01-01', 7])
      assert.is((await key('post', `${invoice}/links`).send({ expires })).status, 422)
    assert.is((await key('post', `${invoice}/links`).send({ until: soon })).status, 422)
  })

  test('show what their maker may read, as long as they may', async () => {
    const made = await supertest(shop.api.app)
      .post(`${invoice}/links`)
      .set('Cookie', cookie)
      .send({})
    assert.is(made.status, 201, made.text)
    const { pathname } = new URL(made.body.url)
    assert.is((await see(pathname)).status, 200)
    await changePerson(shop.api.engine, 'ann', { roles: [] })
    assert.is((await see(pathname)).status, 404)
    await changePerson(shop.api.engine, 'ann', { roles: [{ role: 'Accounts User' }] })
    assert.is((await see(pathname)).status, 200)
    await changePerson(shop.api.engine, 'ann', { enabled: false })
    assert.is((await see(pathname)).status, 404)
    const reader = await supertest(shop.api.app)
      .post(`${invoice}/links`)
      .set('Authorization', bearer(shop.api.keys.read))
      .send({})
    assert.is(reader.status, 403)
  })

  test('take a question, which becomes a comment, and no script of it', async () => {
    const { path } = await link()
    const text = 'Is the <script>alert(1)</script> green one in stock?'
    const asked = await supertest(shop.api.app)
      .post(path)
      .type('form')
      .send({ name: 'Wanda', text })
    assert.equal([asked.status, asked.headers.location], [303, `${path}?asked=1`])
    assert.match((await see(`${path}?asked=1`)).text, 'your question has arrived')
    const id = decodeURIComponent(invoice.split('/').at(-1)!)
    const comments = await key('get', `/v1/comments?reference_name=${id}&fields=content,owner`)
    assert.is(comments.body.data[0]?.content, `Wanda asks by the link: ${text}`)
    const empty = await supertest(shop.api.app).post(path).type('form').send({ text: ' ' })
    assert.is(empty.status, 422)
    const foreign = await supertest(shop.api.app)
      .post(path)
      .set('Origin', 'https://evil.example')
      .set('Sec-Fetch-Site', 'cross-site')
      .type('form')
      .send({ text: 'x' })
    assert.is(foreign.status, 403)
    for (let more = 0; more < 9; more += 1)
      await supertest(shop.api.app)
        .post(path)
        .type('form')
        .send({ text: `again ${more}` })
    const many = await supertest(shop.api.app).post(path).type('form').send({ text: 'more' })
    assert.is(many.status, 429)
  })
})

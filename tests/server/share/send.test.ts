import supertest from 'supertest'
import * as assert from 'uvu/assert'
import { openMail } from '../../../server/mail/mail.ts'
import { type MailSender, startMailSender } from '../../../server/mail/sender.ts'
import { smtpTransport } from '../../../server/mail/transport.ts'
import { noteBounce } from '../../../server/share/bounced.ts'
import { takeReturned } from '../../../server/share/returned.ts'
import { forEachDatabaseWhenDeep } from '../../helpers/databases.ts'
import { type SmtpServer, startSmtpServer } from '../../helpers/smtp-server.ts'
import { addPerson, cookieOf } from '../auth/people.ts'
import { INVOICE, openPaperShop, type PaperShop } from '../print/paper-shop.ts'
import { bearer } from '../test-app.ts'

forEachDatabaseWhenDeep('papers by mail', ({ test, create }) => {
  let shop: PaperShop
  let invoice: string
  let number: string
  let smtp: SmtpServer
  let sender: MailSender

  test.before(async () => {
    shop = await openPaperShop(await create())
    number = await shop.make('sales-invoices', INVOICE, true)
    invoice = `/v1/sales-invoices/${number}`
    smtp = await startSmtpServer()
    const { engine, secretKey } = shop.api
    const silent = () => undefined
    sender = startMailSender({
      services: engine.services,
      secretKey,
      transport: () => smtpTransport({ smtpUrl: smtp.url, from: 'svc@example.org' }),
      logger: { info: silent, warn: silent, error: silent },
      onFailed: (mail, error) => noteBounce(engine, secretKey, mail, error),
      pollMs: 20,
    })
  })
  test.after(async () => {
    await sender.stop()
    await smtp.close()
    await shop.api.close()
  })

  const call = (method: 'get' | 'post', path: string, key = shop.api.keys.admin) =>
    supertest(shop.api.app)[method](path).set('Authorization', bearer(key))
  const send = (body: object) => call('post', `${invoice}/send`).send(body)

  test('go out with the PDF and a link, in one thread, and a record of them stays', async () => {
    const sent = await send({
      to: ['wanda@example.com'],
      cc: 'c@example.com',
      message: 'Dear Wanda',
    }).set('Idempotency-Key', 'mail-1')
    assert.is(sent.status, 202, sent.text)
    const again = await send({
      to: ['wanda@example.com'],
      cc: 'c@example.com',
      message: 'Dear Wanda',
    }).set('Idempotency-Key', 'mail-1')
    assert.is(again.text, sent.text)
    assert.is(
      (await send({ to: 'wanda@example.com', subject: 'Once more', attach: [], link: false }))
        .status,
      202,
    )
    sender.ask()
    const [first, second] = await smtp.arrived(2)
    assert.equal(first?.to, ['wanda@example.com', 'c@example.com'])
    assert.is(first?.headers.subject, `Invoice ${number}: Nordwind GmbH`)
    assert.match(
      first?.source ?? '',
      /Content-Type: application\/pdf; name="Invoice SINV-2026-00001\.pdf"/,
    )
    assert.match(first?.source ?? '', /Dear Wanda/)
    const path = new URL(sent.body.link.url).pathname
    assert.is((await supertest(shop.api.app).get(path)).status, 200)
    assert.is(first?.headers.references, second?.headers.references)
    assert.not.match(second?.source ?? '', /application\/pdf|\/p\//)
    const { data } = (
      await call(
        'get',
        `/v1/communications?reference_name=${number}&fields=subject,content,recipients&sort=created&order=asc`,
      )
    ).body
    assert.equal(data[0], {
      subject: `Invoice ${number}: Nordwind GmbH`,
      content: 'Dear Wanda',
      recipients: 'wanda@example.com, c@example.com',
    })
    assert.is(smtp.mails().length, 2)
  })

  test('are written as a template says, with the values of the paper', async () => {
    await shop.make('email-templates', {
      name: 'Invoice',
      subject: 'Your invoice {{ doc.name }}',
      response: 'It is {{ grand_total }} for {{customer}}.',
    })
    const sent = await send({ to: 'w@example.com', template: 'Invoice', attach: [], link: false })
    assert.is(sent.status, 202, sent.text)
    sender.ask()
    const mail = (await smtp.arrived(3))[2]
    assert.is(mail?.headers.subject, `Your invoice ${number}`)
    assert.match(mail?.text ?? '', /It is .*2.682[.,]52.* for Blue Whale Inc\./)
    await shop.make('email-templates', { name: 'Odd', subject: 'x', response: '{{ nothing }}' })
    for (const template of ['Odd', 'None'])
      assert.is((await send({ to: 'w@example.com', template })).status, 422)
  })

  test('that come back are told of on the record, once for each recipient', async () => {
    const { engine, secretKey } = shop.api
    const id = smtp.mails()[0]?.headers['message-id'] ?? ''
    assert.match(id, /^<mail_[0-9a-z]+@example\.org>$/)
    const report = (recipient: string, action = 'failed') =>
      Buffer.from(
        [
          'From: MAILER-DAEMON@mx.example.com',
          'Content-Type: multipart/report; report-type=delivery-status;',
          '\tboundary="b"',
          '',
          '--b',
          'Content-Type: message/delivery-status',
          '',
          `Final-Recipient: rfc822; ${recipient}`,
          `Action: ${action}`,
          'Status: 5.1.1',
          'Diagnostic-Code: smtp; 550 5.1.1 no such',
          ' user <script>alert(1)</script>',
          '',
          '--b',
          'Content-Type: text/rfc822-headers',
          '',
          `Message-ID: ${id}`,
          '--b--',
          '',
        ].join('\r\n'),
      )
    const take = (message: Buffer) => takeReturned(engine, secretKey, message)
    const told = async () =>
      (await call('get', `/v1/comments?reference_name=${number}&fields=content&sort=created`)).body
        .data as { content: string }[]
    const ours = [id.slice(1, id.indexOf('@'))]
    assert.equal(await take(report('wanda@example.com')), ours)
    assert.equal(await take(report('wanda@example.com')), [])
    assert.equal(await take(report('c@example.com')), ours)
    for (const other of [
      report('d@example.com', 'delayed'),
      Buffer.from(`Subject: hello\r\n\r\nMessage-ID: ${id}\r\nAction: failed\r\n`),
      Buffer.from(report('e@example.com').toString().replace(ours[0]!, 'mail_0000nothing')),
      Buffer.from(''),
      Buffer.alloc(600_000, 0xff),
    ])
      assert.equal(await take(other), [])
    const texts = (await told()).map(({ content }) => content)
    assert.is(texts.length, 2)
    assert.match(
      texts.toSorted().at(-1) ?? '',
      /could not be sent: wanda@example\.com: 550 5\.1\.1 no such user <script>/,
    )
    const kept = await engine.services.database.read
      .selectFrom('svc_mails')
      .select(['state', 'content'])
      .where('id', '=', ours[0]!)
      .executeTakeFirst()
    assert.is(kept?.state, 'failed')
    assert.not.match(
      JSON.stringify(openMail(secretKey, { id: ours[0]!, content: String(kept?.content) })),
      /Dear Wanda|wanda@|base64/,
    )
  })

  test('are refused with all that is wrong, to who may not send', async () => {
    const wrong = await send({ to: 'nobody', cc: 7, subject: 'x'.repeat(501), attach: ['doc'] })
    assert.equal(
      wrong.body.error.details.map(({ field }: { field: string }) => field),
      ['to', 'attach', 'cc', 'subject'],
    )
    assert.is((await send({ to: [] })).status, 422)
    assert.is((await send({ too: 'x' })).status, 422)
    assert.is((await call('post', `${invoice}/send`, shop.api.keys.read).send({})).status, 403)
  })

  test('that nobody takes are told of on the record', async () => {
    smtp.refuse('550 no such mailbox')
    const { engine, app } = shop.api
    const ann = await addPerson(engine, 'ann', ['System Manager'], { language: 'de' })
    const { cookie } = await cookieOf(engine, ann)
    const sent = await supertest(app)
      .post(`${invoice}/send`)
      .set('Cookie', cookie)
      .send({ to: 'gone@example.com', attach: [], link: false })
    assert.is(sent.status, 202, sent.text)
    sender.ask()
    await sender.settled()
    const told = await supertest(app).get('/v1/notifications').set('Cookie', cookie)
    const [notice] = told.body.data
    assert.equal(
      [notice.kind, notice.resource, notice.record_id],
      ['mail', 'sales-invoices', number],
    )
    assert.match(notice.text, /an gone@example\.com konnte nicht .*no such mailbox/)
    const { data } = (await call('get', `/v1/comments?reference_name=${number}&fields=content`))
      .body
    assert.match(
      data[0]?.content ?? '',
      /to gone@example\.com could not be sent: .*no such mailbox/,
    )
  })
})

import * as assert from 'uvu/assert'
import { newLeaseName } from '../../../engine/base/lease-name.ts'
import { seal } from '../../../engine/base/seal.ts'
import { openDatabase } from '../../../engine/index.ts'
import type { Database } from '../../../engine/storage/database/database.ts'
import { migrate } from '../../../engine/storage/migration/migrate.ts'
import { SYSTEM_TABLES } from '../../../engine/storage/records/system-tables.ts'
import { enqueueMail, type Mail } from '../../../server/mail/mail.ts'
import { MAIL_WAITS } from '../../../server/mail/outcome.ts'
import { type MailSender, startMailSender } from '../../../server/mail/sender.ts'
import { claimMail, mailBacklog, pruneMails } from '../../../server/mail/store.ts'
import { senderOf, smtpTransport } from '../../../server/mail/transport.ts'
import { createLogger } from '../../../server/observe/logger.ts'
import { forEachDatabaseWhenDeep } from '../../helpers/databases.ts'
import { type SmtpServer, startSmtpServer } from '../../helpers/smtp-server.ts'
import { type TestClock, testClock } from '../test-app.ts'

const secretKey = Buffer.alloc(32, 9)
const DAY = 24 * 60 * 60 * 1000

forEachDatabaseWhenDeep('the outbox of mail', ({ kind, test, create }) => {
  let database: Database
  let clock: TestClock
  let smtp: SmtpServer
  let logged: string[]
  const senders: MailSender[] = []

  test.before.each(async () => {
    database = await openDatabase(await create())
    await migrate(database, SYSTEM_TABLES)
    clock = testClock()
    smtp = await startSmtpServer()
    logged = []
  })
  test.after.each(async () => {
    for (const sender of senders.splice(0)) await sender.stop()
    await smtp.close()
    await database.close()
  })

  const put = (mail: Partial<Mail> = {}): Promise<string> =>
    database.write((tx) =>
      enqueueMail(
        tx,
        { clock, seal: (purpose, text) => seal(secretKey, purpose, text) },
        { to: 'ann@example.com', kind: 'test', subject: 'Hello', text: 'A secret link', ...mail },
      ),
    )

  function send(key = secretKey): MailSender {
    const sender = startMailSender({
      services: { database, clock },
      secretKey: key,
      transport: () => smtpTransport({ smtpUrl: smtp.url, from: 'svc@example.org' }),
      logger: createLogger({
        level: 'trace',
        destination: { write: (line: string) => logged.push(line) },
      }),
      pollMs: 20,
    })
    senders.push(sender)
    return sender
  }

  const rows = async (): Promise<Record<string, unknown>[]> =>
    (await database.read.selectFrom('svc_mails').selectAll().orderBy('id').execute()).map(
      (row) => ({ ...row, attempts: Number(row.attempts) }),
    )

  test('a mail goes out as it was written and nothing of it is kept', async () => {
    await put({ subject: 'Grüße', text: 'Zeile eins\nZeile „zwei“', html: '<p>Hallo</p>' })
    await send().settled()
    const [mail] = smtp.mails()
    assert.is(mail?.from, 'svc@example.org')
    assert.equal(mail?.to, ['ann@example.com'])
    assert.is(mail?.headers.subject, 'Grüße')
    assert.is(mail?.headers.to, 'ann@example.com')
    assert.is(mail?.headers['auto-submitted'], 'auto-generated')
    assert.is(mail?.text.trim(), 'Zeile eins\nZeile „zwei“')
    assert.match(mail?.source ?? '', '<p>Hallo</p>')
    const [row] = await rows()
    assert.equal([row?.state, row?.content, row?.due, row?.attempts], ['sent', '', null, 1])
    assert.is(row?.sent, '2026-03-01T12:00:00.000Z')
  })

  test('what waits says nothing to who reads the database, and logs name no address', async () => {
    await put()
    const [row] = await rows()
    assert.not.match(JSON.stringify({ ...row, due: 0 }), 'secret link')
    smtp.refuse('550 ann@example.com is unknown, says A secret link')
    await send().settled()
    assert.is((await rows())[0]?.state, 'failed')
    assert.match(logged.join(''), '"kind":"test"')
    assert.not.match(logged.join(''), 'ann@example.com')
    assert.not.match(logged.join(''), 'secret link')
  })

  test('a mail of a transaction that failed never goes out', async () => {
    const failed = database.write(async (tx) => {
      await enqueueMail(
        tx,
        { clock, seal: (purpose, text) => seal(secretKey, purpose, text) },
        { to: 'ann@example.com', kind: 'test', subject: 'x', text: 'x' },
      )
      throw new Error('the change was refused')
    })
    await failed.catch(() => undefined)
    await put({ to: 'bob@example.com' })
    await send().settled()
    assert.equal(
      smtp.mails().map(({ to }) => to),
      [['bob@example.com']],
    )
  })

  test('neither a subject nor an address can begin a header or another recipient', async () => {
    await put({ subject: 'Hi\r\nBcc: eve@example.com\r\n\r\nbody' })
    await send().settled()
    const [mail] = smtp.mails()
    assert.is(mail?.headers.bcc, undefined)
    assert.is(mail?.headers.subject, 'Hi Bcc: eve@example.com body')
    for (const to of [
      'ann@example.com, eve@example.com',
      'ann@example.com\r\nBcc: eve@example.com',
      'Eve <eve@example.com>',
      '',
    ]) {
      const error = await put({ to }).catch((refusal: Error) => refusal)
      assert.match(String(error), 'expected one e-mail address', to)
    }
  })

  test('what the server puts off is tried again for a day, under one Message-ID, then given up', async () => {
    await put()
    smtp.refuse(...MAIL_WAITS.slice(0, 2).map(() => '451 later'), 'hang up')
    const sender = send()
    await sender.settled()
    const [first] = await rows()
    assert.is(first?.state, 'waiting')
    assert.match(String(first?.error), '451 later')
    clock.advance((MAIL_WAITS[0] ?? 0) - 1)
    await sender.settled()
    assert.is(smtp.attempts(), 1)
    clock.advance(1)
    await sender.settled()
    assert.is(smtp.attempts(), 2)
    for (const wait of MAIL_WAITS.slice(1, 3)) {
      clock.advance(wait)
      await sender.settled()
    }
    assert.is(smtp.mails().length, 1)
    assert.equal([(await rows())[0]?.state, smtp.attempts()], ['sent', 4])

    await put({ to: 'bob@example.com' })
    smtp.refuse(...MAIL_WAITS.map(() => '451 later'), '451 later')
    await sender.settled()
    const begun = clock.now()
    for (const wait of MAIL_WAITS) {
      clock.advance(wait)
      await sender.settled()
    }
    assert.is(
      (await rows()).find(({ recipient }) => recipient === 'bob@example.com')?.state,
      'failed',
    )
    assert.ok(clock.now() - begun >= DAY)
    assert.equal((await mailBacklog(database.read)).failed.count, 1)
  })

  test('what the server refuses for good is not tried again', async () => {
    await put()
    smtp.refuse('550 no such person')
    const sender = send()
    await sender.settled()
    clock.advance(DAY)
    await sender.settled()
    assert.is(smtp.attempts(), 1)
    const [row] = await rows()
    assert.is(row?.state, 'failed')
    assert.match(String(row?.error), '550 no such person')
  })

  test('mail waits while no server is set, and what is of no use any more is not sent later', async () => {
    await put({ to: 'late@example.com', lifetimeMs: 60_000 })
    await put({ to: 'any@example.com' })
    clock.advance(60_000)
    assert.equal(await mailBacklog(database.read), {
      waiting: { count: 2, oldest: '2026-03-01T12:00:00.000Z' },
      failed: { count: 0, oldest: null },
    })
    await send().settled()
    assert.equal(
      smtp.mails().map(({ to }) => to),
      [['any@example.com']],
    )
    assert.equal((await rows()).map(({ state }) => state).sort(), ['failed', 'sent'])
  })

  test('mail of another secret key is given up and stops no other', async () => {
    await put()
    await send(Buffer.alloc(32, 1)).settled()
    assert.match(String((await rows())[0]?.error), 'another secret key')
  })

  test('what a process held that died is sent by the next; a live one is waited for', async () => {
    await put()
    const lease = { now: clock.now(), leaseUntil: clock.now() + DAY }
    const dead = JSON.stringify([JSON.parse(newLeaseName())[0], process.pid, 1, 'dead'])
    await database.write((tx) => claimMail(tx, kind, { ...lease, sender: dead }))
    await put({ to: 'bob@example.com' })
    const elsewhere = JSON.stringify(['another machine', 1, 1, 'x'])
    await database.write((tx) => claimMail(tx, kind, { ...lease, sender: elsewhere }))
    const sender = send()
    await sender.settled()
    assert.equal(
      smtp.mails().map(({ to }) => to),
      [['ann@example.com']],
    )
    clock.advance(DAY)
    await sender.settled()
    assert.is(smtp.mails().length, 2)
  })

  test('several senders send each mail once', async () => {
    for (let i = 0; i < 30; i += 1) await put({ to: `person${i}@example.com` })
    const all = [send(), send(), send()]
    await Promise.all(all.map((sender) => sender.settled()))
    const to = smtp.mails().flatMap((mail) => mail.to)
    assert.is(to.length, 30)
    assert.is(new Set(to).size, 30)
  })

  test('sent and failed mail is removed when it is old; what waits stays', async () => {
    await put()
    await send().settled()
    for (const sender of senders.splice(0)) await sender.stop()
    await put({ to: 'waits@example.com' })
    clock.advance(DAY)
    assert.is(await database.write((tx) => pruneMails(tx, clock.now() - DAY, 10)), 0)
    assert.is(await database.write((tx) => pruneMails(tx, clock.now(), 10)), 1)
    assert.equal(
      (await rows()).map(({ recipient }) => recipient),
      ['waits@example.com'],
    )
  })

  if (kind === 'sqlite')
    test('the sender is the one set, else who the mail server knows, else of the own host', () => {
      const smtpUrl = 'smtp://us%40er.example:x@mail.example.com'
      assert.is(senderOf({ mailFrom: 'a@b.example', smtpUrl }), 'a@b.example')
      assert.is(senderOf({ smtpUrl }), 'us@er.example')
      const plain = {
        smtpUrl: 'smtp://user:x@mail.example.com',
        baseUrl: 'https://erp.example.com',
      }
      assert.is(senderOf(plain), 'svc@erp.example.com')
    })
})

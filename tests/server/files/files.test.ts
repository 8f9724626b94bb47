import { hash } from 'node:crypto'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import supertest from 'supertest'
import * as assert from 'uvu/assert'
import { filesJob } from '../../../server/jobs/files-job.ts'
import { forEachDatabaseWhenDeep } from '../../helpers/databases.ts'
import { addPerson, cookieOf } from '../auth/people.ts'
import { bearer, openTestApp, type TestApp, testClock } from '../test-app.ts'
import { GREEN, picture } from './pictures.ts'

const PLANS = readFileSync(join(import.meta.dirname, '../../../doctypes/plans.yaml'), 'utf8')

const DOCTYPES = {
  plans: PLANS.replace('largest_mb: 100,', 'largest_mb: 1,'),
  gadget: `
doctype: Gadget
module: stock
tier: free
naming: field:code
fields:
  code: {type: data, required: true}
  image: {type: attach_image}
  parts: {type: table, options: Gadget Part}
permissions: {roles: {Stock Manager: [all]}}
`,
  'gadget-part': `
doctype: Gadget Part
module: stock
tier: free
child: true
fields:
  drawing: {type: attach}
`,
}

const DAY = 24 * 60 * 60 * 1000

forEachDatabaseWhenDeep('files', ({ test, fresh }) => {
  let app: TestApp
  const clock = testClock()
  const cookies = new Map<string, string>()
  test.before(async () => {
    app = await openTestApp({
      database: await fresh(),
      doctypes: DOCTYPES,
      clock,
      tier: 'business',
    })
    for (const [login, roles] of [
      ['ann', ['Stock Manager']],
      ['cid', ['HR Manager']],
    ] as const)
      cookies.set(
        login,
        (await cookieOf(app.engine, await addPerson(app.engine, login, roles))).cookie,
      )
    await as('key', 'post', '/v1/gadgets').send({ code: 'G1' })
  })
  test.after(() => app.close())

  const as = (who: string, method: 'get' | 'post' | 'patch' | 'delete' | 'head', path: string) => {
    const asked = supertest(app.app)[method](path)
    if (who === 'guest') return asked
    const cookie = cookies.get(who)
    return cookie ? asked.set('Cookie', cookie) : asked.set('Authorization', bearer(app.keys.admin))
  }
  const upload = (who: string, content: Buffer | string, name: string, fields: object = {}) => {
    const sent = as(who, 'post', '/v1/files').attach('file', Buffer.from(content), name)
    return Object.entries(fields).reduce((one, [key, value]) => one.field(key, value), sent)
  }
  const contents = (): string[] => globSync(`${app.filesFolder}/??/*`)

  test('come in a form, are stored once by their hash, and go to who may read the record', async () => {
    const text = 'a note about G1'
    const made = await upload('ann', text, 'note.txt', { resource: 'gadgets', id: 'G1' })
    assert.is(made.status, 201, made.text)
    const { id, file_url, file_size, content_hash, is_private, attached_to_doctype } = made.body
    assert.equal(
      [file_size, content_hash, is_private, attached_to_doctype, file_url],
      [text.length, hash('sha256', text), true, 'Gadget', `/private/files/${id}/note.txt`],
    )
    const again = await upload('ann', text, 'copy.txt', { resource: 'gadgets', id: 'G1' })
    assert.is(again.status, 201)
    assert.is(contents().length, 1)
    const read = await as('ann', 'get', file_url)
    assert.equal([read.status, read.text], [200, text])
    assert.equal(
      [
        'content-disposition',
        'x-content-type-options',
        'content-security-policy',
        'content-type',
      ].map((name) => read.headers[name]),
      [
        `attachment; filename="note.txt"; filename*=UTF-8''note.txt`,
        'nosniff',
        "default-src 'none'; sandbox",
        'text/plain; charset=utf-8',
      ],
    )
    // Of a gadget that they may not read the file is not there; nor is it for a guest.
    assert.is((await as('cid', 'get', file_url)).status, 404)
    assert.is((await as('guest', 'get', file_url)).status, 401)
    assert.is((await upload('cid', 'x', 'x.txt', { resource: 'gadgets', id: 'G1' })).status, 422)
    // What a record says of its content gives nobody another content.
    const forged = await as('cid', 'post', '/v1/files').send({
      ...{ file_name: 'mine.txt', file_url, content_hash },
    })
    assert.is(forged.status, 201, forged.text)
    assert.is((await as('cid', 'get', `/files/${forged.body.id}/mine.txt`)).status, 404)
    assert.is((await as('cid', 'get', forged.body.file_url)).status, 404)
  })

  test('are read in parts, and not again by who has them', async () => {
    const made = await upload('ann', '0123456789', 'ten.txt')
    const { file_url: url, content_hash } = made.body
    const part = (range: string) => as('ann', 'get', url).set('Range', range)
    for (const [range, status, text, told] of [
      ['bytes=2-4', 206, '234', 'bytes 2-4/10'],
      ['bytes=7-', 206, '789', 'bytes 7-9/10'],
      ['bytes=-3', 206, '789', 'bytes 7-9/10'],
      ['bytes=20-30', 416, undefined, 'bytes */10'],
      ['bytes=0-1,5-6', 200, '0123456789', undefined],
      ['lines=1-2', 200, '0123456789', undefined],
      ['bytes=9999999999999999999-', 416, undefined, 'bytes */10'],
    ] as const) {
      const got = await part(range)
      assert.equal(
        [got.status, got.text || undefined, got.headers['content-range']],
        [status, text, told],
        range,
      )
    }
    assert.is((await as('ann', 'get', url).set('If-None-Match', `"${content_hash}"`)).status, 304)
    const changed = await part('bytes=0-1').set('If-Range', '"other"')
    assert.is(changed.status, 200)
    const head = await as('ann', 'head', url)
    assert.equal([head.status, head.headers['content-length']], [200, '10'])
    assert.is((await as('ann', 'post', url)).status, 405)
  })

  test('of hostile kinds are harmless: typed by content, sent as attachments, never as a page', async () => {
    const script = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'
    for (const [name, content] of [
      ['a.svg', script],
      ['a.html', '<!doctype html><script>alert(1)</script>'],
      ['a.png', '<html><script>alert(1)</script>'],
      ['a.xml', '<?xml version="1.0"?><x xmlns="http://www.w3.org/1999/xhtml"><script/></x>'],
      ['a.js', 'alert(1)'],
    ] as const) {
      const made = await upload('ann', content, name)
      assert.is(made.status, 201, made.text)
      const { headers } = await as('ann', 'get', made.body.file_url)
      assert.match(
        headers['content-type'] ?? '',
        /^(text\/plain; charset=utf-8|application\/octet-stream)$/,
        name,
      )
      assert.match(headers['content-disposition'] ?? '', /^attachment;/, name)
    }
    const image = await upload('ann', picture(), 'photo.txt')
    const shown = await as('ann', 'get', image.body.file_url)
    assert.equal(
      [shown.headers['content-type'], shown.headers['content-disposition']?.split(';')[0]],
      ['image/png', 'inline'],
    )
  })

  test('are there under no address that climbs', async () => {
    for (const path of [
      '/files/..%2f..%2fetc/passwd',
      '/files/%00/x',
      '/private/files/x/..%5c..%5cx',
    ])
      assert.is((await as('ann', 'get', path)).status, 404, path)
  })

  test('are refused where they say what cannot be, and nothing is left of them', async () => {
    const before = contents().length
    const rows = async () => (await as('key', 'get', '/v1/files')).body.meta.total
    const records = await rows()
    for (const [fields, field] of [
      [{ resource: 'gadgets' }, 'id'],
      [{ id: 'G1' }, 'resource'],
      [{ resource: 'nothing', id: 'G1' }, 'resource'],
      [{ resource: 'gadgets', id: 'G1', field: 'code' }, 'field'],
      [{ resource: 'gadgets', id: 'G1', field: 'image' }, 'image'],
      [{ resource: 'gadgets', id: 'NONE' }, 'attached_to_name'],
      [{ is_private: 'perhaps' }, 'is_private'],
      [{ colour: 'blue' }, 'colour'],
    ] as const) {
      const made = await upload('ann', `never kept ${field}`, 'x.txt', fields)
      assert.equal([made.status, made.body.error?.details?.[0]?.field], [422, field], made.text)
    }
    const none = await as('ann', 'post', '/v1/files').field('folder', 'x')
    assert.equal([none.status, none.body.error.details[0].field], [422, 'file'])
    const two = await upload('ann', 'x', 'x').attach('file', Buffer.from('y'), 'y')
    assert.is(two.status, 422)
    const broken = await as('ann', 'post', '/v1/files')
      .set('Content-Type', 'multipart/form-data; boundary=x')
      .send('--x\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\nabc')
    assert.is(broken.status, 400)
    assert.is(
      (await as('guest', 'post', '/v1/files').attach('file', Buffer.from('x'), 'x')).status,
      401,
    )
    const reader = await supertest(app.app)
      .post('/v1/files')
      .set('Authorization', bearer(app.keys.read))
      .attach('file', Buffer.from('x'), 'x')
    assert.is(reader.status, 403)
    assert.equal([contents().length, await rows()], [before, records])
    assert.equal(globSync(`${app.filesFolder}/incoming/*`), [])
  })

  test('are taken once by an Idempotency-Key, which stands for one content', async () => {
    const send = (text: string) => upload('ann', text, 'k.txt').set('Idempotency-Key', 'once')
    const first = await send('same')
    const again = await send('same')
    assert.equal([again.status, again.text], [201, first.text])
    assert.is(again.headers['idempotent-replayed'], 'true')
    assert.is((await send('other')).status, 422)
  })

  test('of pictures have small ones, which are made once; others have none', async () => {
    const made = await upload('ann', picture(), 'green.png')
    const thumb = `${made.body.file_url}?size=thumb`
    const small = await as('ann', 'get', thumb).buffer(true)
    assert.equal([small.status, small.headers['content-type']], [200, 'image/webp'])
    assert.is(Number(small.headers['content-length']) < 2000, true)
    assert.ok(
      existsSync(
        `${app.filesFolder}/${made.body.content_hash.slice(0, 2)}/${made.body.content_hash}.thumb`,
      ),
    )
    const note = await upload('ann', 'text', 'a.txt')
    assert.is((await as('ann', 'get', `${note.body.file_url}?size=thumb`)).status, 404)
    assert.is((await as('ann', 'get', `${made.body.file_url}?size=large`)).status, 422)
    const bomb = Buffer.from(picture())
    bomb.writeUInt32BE(60_000, 16)
    bomb.writeUInt32BE(60_000, 20)
    const large = await upload('ann', bomb, 'bomb.png')
    assert.is((await as('ann', 'get', `${large.body.file_url}?size=thumb`)).status, 404)
  })

  test('that a field or a row names belong to its record from then on', async () => {
    const image = await upload('ann', picture(GREEN), 'g2.png', { is_private: '0' })
    const drawing = await upload('ann', 'lines', 'g2.txt')
    const of = async (id: string) => {
      const { attached_to_doctype, attached_to_name, attached_to_field } = (
        await as('key', 'get', `/v1/files/${id}`)
      ).body
      return [attached_to_doctype, attached_to_name, attached_to_field]
    }
    // While it belongs to nothing, a public one is there for everybody.
    assert.is((await as('guest', 'get', image.body.file_url)).status, 200)
    const gadget = await as('ann', 'post', '/v1/gadgets').send({
      code: 'G2',
      image: image.body.file_url,
      parts: [{ drawing: drawing.body.file_url }],
    })
    assert.is(gadget.status, 201, gadget.text)
    assert.equal(await of(image.body.id), ['Gadget', 'G2', 'image'])
    assert.equal(await of(drawing.body.id), ['Gadget', 'G2', 'parts'])
    assert.is((await as('guest', 'get', image.body.file_url)).status, 401)
    assert.is((await as('cid', 'get', image.body.file_url)).status, 404)
    // Somebody else's is not theirs to give away.
    const foreign = await upload('cid', 'secret', 's.txt')
    await as('ann', 'post', '/v1/gadgets').send({
      code: 'G3',
      parts: [{ drawing: foreign.body.file_url }],
    })
    assert.equal(await of(foreign.body.id), [null, null, null])
    const events = (await as('key', 'get', '/v1/events?event=files.attached')).body.data
    assert.ok(events.some(({ record_id }: { record_id: string }) => record_id === image.body.id))
  })

  test('go with their record, and those of nothing after seven days, with their contents', async () => {
    const kept = await upload('ann', 'kept', 'kept.txt', { folder: 'Home' })
    const loose = await upload('ann', 'loose', 'loose.txt')
    const own = await upload('ann', 'own of G4', 'own.txt')
    await as('ann', 'post', '/v1/gadgets').send({
      code: 'G4',
      parts: [{ drawing: own.body.file_url }],
    })
    assert.is((await as('key', 'delete', '/v1/gadgets/G4')).status, 204)
    assert.is((await as('key', 'get', `/v1/files/${own.body.id}`)).status, 404)
    clock.advance(8 * DAY)
    const job = filesJob(app.engine, app.files)
    await job.run('2026-03-09', new AbortController().signal)
    const status = async ({ body }: { body: { id: string; file_url: string } }) =>
      (await as('key', 'get', body.file_url)).status
    assert.equal([await status(kept), await status(loose), await status(own)], [200, 404, 404])
    const there = (text: string) => contents().some((path) => path.endsWith(hash('sha256', text)))
    assert.equal([there('kept'), there('loose'), there('own of G4')], [true, false, false])
  })

  test('are limited by the plan, one by one and together', async () => {
    await app.engine.setTier('free')
    const large = await as('key', 'post', '/v1/files').attach(
      'file',
      Buffer.alloc(1_000_001),
      'large.bin',
    )
    assert.equal([large.status, large.body.error?.code], [413, 'PAYLOAD_TOO_LARGE'])
    assert.equal(globSync(`${app.filesFolder}/incoming/*`), [])
    await app.engine.setTier('business')
  })

  test('come by the methods of surface A too', async () => {
    const sent = await as('key', 'post', '/api/method/upload_file')
      .field('doctype', 'Gadget')
      .field('docname', 'G1')
      .field('is_private', '1')
      .field('folder', 'Home')
      .attach('file', Buffer.from('by frappe'), 'f.txt')
    assert.is(sent.status, 200, sent.text)
    const { file_url, is_private, attached_to_name, doctype, folder } = sent.body.message
    assert.equal([is_private, attached_to_name, doctype, folder], [1, 'G1', 'File', 'Home'])
    assert.is((await as('key', 'get', file_url)).text, 'by frappe')
    const attached = await as('key', 'post', '/api/method/frappe.client.attach_file').send({
      filename: 'pic.png',
      filedata: Buffer.from(picture()).toString('base64'),
      decode_base64: 1,
      doctype: 'Gadget',
      docname: 'G1',
      docfield: 'image',
    })
    assert.is(attached.status, 200, attached.text)
    assert.is((await as('key', 'get', '/v1/gadgets/G1')).body.image, attached.body.message.file_url)
    const url = await as('key', 'post', '/api/method/upload_file').send({
      file_url: 'https://example.com/a.pdf',
    })
    assert.equal([url.status, url.body.message.file_name], [200, 'a.pdf'])
    const guest = await as('guest', 'post', '/api/method/upload_file').attach(
      'file',
      Buffer.from('x'),
      'x',
    )
    assert.is(guest.status, 403)
  })
})

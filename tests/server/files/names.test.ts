import supertest from 'supertest'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { bearer, openTestApp, type TestApp } from '../test-app.ts'

const test = suite('names of files')

/** A name that is sent, the one that is kept, and what refuses it instead. */
const NAMES: readonly {
  readonly sent: string
  readonly kept: string
  readonly refusedBy?: readonly ('change' | 'form' | 'json')[]
}[] = [
  { sent: '../../etc/passwd', kept: 'passwd' },
  { sent: 'C:\\temp\\..\\evil.exe', kept: 'evil.exe' },
  { sent: '..', kept: 'file' },
  { sent: ' .htaccess. ', kept: 'htaccess' },
  { sent: 'Rechnung\u202efdp.exe', kept: 'Rechnungfdp.exe' },
  { sent: 'a\u2066b\u2069\u061c\u200fc.pdf', kept: 'abc.pdf' },
  {
    sent: 'a\r\nSet-Cookie: a=1\r\n\r\n<b>.txt',
    kept: 'aSet-Cookie: a=1<b>.txt',
    refusedBy: ['change', 'form'],
  },
  { sent: 'one\u2028two\u0085three\u0001.txt', kept: 'onetwothree.txt' },
  { sent: 'a\0.html\0.png', kept: 'a.html.png', refusedBy: ['change', 'json'] },
  { sent: '"; filename="evil.html', kept: '"; filename="evil.html' },
  { sent: `it's "100%" (50*2)\u201c.pdf`, kept: `it's "100%" (50*2)\u201c.pdf` },
  { sent: '%2e%2e%2fa%0d%0a.txt', kept: '%2e%2e%2fa%0d%0a.txt' },
  { sent: `${'x'.repeat(300)}.pdf`, kept: `${'x'.repeat(136)}.pdf`, refusedBy: ['change'] },
  { sent: '\u{1f4c4}'.repeat(150), kept: '\u{1f4c4}'.repeat(140), refusedBy: ['change'] },
]

let app: TestApp
test.before(async () => {
  app = await openTestApp({ tier: 'business' })
})
test.after(() => app.close())

const ask = (method: 'get' | 'post' | 'patch' | 'put', path: string): supertest.Test =>
  supertest(app.app)[method](path).set('Authorization', bearer(app.keys.admin))

/** A form whose file is called so, in the form of RFC 5987, which carries every sign. */
const sendForm = (name: string): supertest.Test =>
  ask('post', '/v1/files')
    .set('Content-Type', 'multipart/form-data; boundary=limit')
    .send(
      Buffer.from(
        `--limit\r\nContent-Disposition: form-data; name="file"; filename*=UTF-8''${encodeURIComponent(name)}\r\n\r\nx\r\n--limit--\r\n`,
      ),
    )

const sendJson = (filename: string): supertest.Test =>
  ask('post', '/api/method/frappe.client.attach_file').send({ filename, filedata: 'x' })

/** The name that programs save the file of an address by: the only thing said beside `attachment`. */
async function savedName(address: string): Promise<string> {
  const { status, headers } = await ask('get', address)
  assert.is(status, 200, address)
  assert.is(headers['set-cookie'], undefined)
  const said = headers['content-disposition'] ?? ''
  const parts = /^attachment; filename="([ -~]*)"; filename\*=UTF-8''([\w!#$&+.^`|~%-]*)$/.exec(
    said,
  )
  assert.ok(parts, said)
  assert.not.match(parts[1] ?? '', /["\\%]/)
  return decodeURIComponent(parts[2] ?? '')
}

type Shown = Record<string, string>

interface Surface {
  readonly upload: (name: string) => supertest.Test
  readonly form: 'form' | 'json'
  readonly change: (id: string) => supertest.Test
  readonly refusal: number
  readonly shown: (answer: supertest.Response) => Shown
}

const SURFACES: Readonly<Record<string, Surface>> = {
  '/v1': {
    upload: sendForm,
    form: 'form',
    change: (id) => ask('patch', `/v1/files/${id}`),
    refusal: 422,
    shown: ({ body }) => body,
  },
  '/api': {
    upload: sendJson,
    form: 'json',
    change: (id) => ask('put', `/api/resource/File/${id}`),
    refusal: 417,
    shown: ({ body }) => body.message ?? body.data,
  },
}

for (const [name, { upload, form, change, refusal, shown }] of Object.entries(SURFACES)) {
  test(`${name}: hostile ones are made harmless by an upload, and saved so`, async () => {
    for (const { sent, kept, refusedBy } of NAMES) {
      const made = await upload(sent)
      if (refusedBy?.includes(form)) {
        assert.is(made.status, refusal, made.text)
        continue
      }
      assert.ok(made.ok, `${JSON.stringify(sent)} ${made.text}`)
      const { file_name, file_url = '' } = shown(made)
      assert.is(file_name, kept)
      assert.is(await savedName(file_url), kept)
    }
  })

  test(`${name}: hostile ones are made harmless by a change, or refused, and saved so`, async () => {
    const { name: id = '', file_url = '' } = shown(await upload('plain.txt'))
    let last = 'plain.txt'
    for (const { sent, kept, refusedBy } of NAMES) {
      const { status, text } = await change(id).send({ file_name: sent })
      assert.is(
        status,
        refusedBy?.includes('change') ? refusal : 200,
        `${JSON.stringify(sent)} ${text}`,
      )
      if (status === 200) last = kept
      assert.is((await ask('get', `/v1/files/${id}`)).body.file_name, last)
      assert.is(await savedName(file_url), last)
    }
  })
}

test('of a file that is elsewhere are kept harmless too', async () => {
  const far = `https://files.example/${'x'.repeat(200)}.pdf`
  const made = await ask('post', '/api/method/upload_file').send({ file_url: far })
  assert.is(made.body.message?.file_name, `${'x'.repeat(136)}.pdf`, made.text)
  const named = { file_name: '..\\a\u202eb.pdf', file_url: 'https://files.example/a' }
  assert.is((await ask('post', '/v1/files').send(named)).body.file_name, 'ab.pdf')
})

test.run()

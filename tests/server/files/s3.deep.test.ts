import { hash } from 'node:crypto'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import supertest from 'supertest'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { ContentStore } from '../../../server/files/content-store.ts'
import { openFiles } from '../../../server/files/files.ts'
import type { S3Options } from '../../../server/files/s3-store.ts'
import { filesJob } from '../../../server/jobs/files-job.ts'
import { readFirstRun, serve, svc } from '../../cli/process.ts'
import { type S3Server, startS3Server } from '../../helpers/s3-server.ts'
import { bearer, openTestApp, testClock } from '../test-app.ts'
import { picture } from './pictures.ts'

const test = suite('an S3-compatible store')

let folder: string
let server: S3Server
let options: S3Options

test.before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'svc-s3-'))
  server = await startS3Server(folder)
  options = server.options
})
test.after(async () => {
  await server.close()
  rmSync(folder, { recursive: true, force: true })
})

async function read(store: ContentStore, digest: string, range?: { start: number; end: number }) {
  const stream = await store.open(digest, { range })
  return stream && (await buffer(stream)).toString()
}

test('keeps contents by their hash, gives parts of them, and forgets them', async () => {
  const { contents, receiving } = openFiles({ data: join(folder, 'data'), store: options })
  for (const text of ['what is kept', '']) {
    const received = await receiving.take(Readable.from([Buffer.from(text)]), 100)
    assert.is(received.hash, hash('sha256', text))
    await contents.put(received)
    await contents.put(received)
    received.drop()
    assert.is(await read(contents, received.hash), text)
  }
  const digest = hash('sha256', 'what is kept')
  assert.is(await read(contents, digest, { start: 5, end: 6 }), 'is')
  assert.is(await contents.open(hash('sha256', 'nothing')), undefined)
  await contents.remove(digest)
  await contents.remove(digest)
  assert.is(await contents.open(digest), undefined)
  assert.equal(readdirSync(join(folder, 'data/files/incoming')), [])
})

test('is refused to who signs with another key, asks for another bucket, or sends other bytes than were signed', async () => {
  const codeOf = (work: Promise<unknown>): Promise<unknown> =>
    work.catch((error: Error & { code?: string }) => error.code)
  const digest = hash('sha256', 'what is kept')
  for (const wrong of [{ secretKey: 'another' }, { accessKey: 'another' }, { bucket: 'another' }]) {
    const { contents } = openFiles({ data: folder, store: { ...options, ...wrong } })
    assert.is(await codeOf(contents.open(digest)), 'UNAVAILABLE', Object.keys(wrong)[0])
    assert.is(await codeOf(contents.remove(digest)), 'UNAVAILABLE')
  }
  // What was changed on the way has another hash than the one that is signed.
  const path = join(folder, 'changed')
  writeFileSync(path, 'what is KEPT')
  const { contents } = openFiles({ data: folder, store: options })
  assert.is(await codeOf(contents.put({ path, hash: digest, size: 12 })), 'UNAVAILABLE')
  assert.is(await contents.open(digest), undefined)
})

test('serves a workspace as the folder does: uploads, parts, small pictures, clean-up', async () => {
  const clock = testClock()
  const app = await openTestApp({ doctypes: {}, clock, fileStore: options })
  const as = (method: 'get' | 'post', path: string) =>
    supertest(app.app)[method](path).set('Authorization', bearer(app.keys.admin))
  try {
    const made = await as('post', '/v1/files').attach('file', picture(), 'p.png')
    assert.is(made.status, 201, made.text)
    const { file_url, content_hash } = made.body
    const part = await as('get', file_url).set('Range', 'bytes=1-3')
    assert.equal([part.status, part.body.toString()], [206, 'PNG'])
    for (let time = 0; time < 2; time += 1)
      assert.is((await as('get', `${file_url}?size=thumb`)).headers['content-type'], 'image/webp')
    clock.advance(8 * 24 * 60 * 60 * 1000)
    await filesJob(app.engine, app.files).run('', new AbortController().signal)
    assert.is(await app.files.contents.open(content_hash), undefined)
    assert.is(await app.files.contents.open(content_hash, { made: 'thumb' }), undefined)
  } finally {
    await app.close()
  }
})

test('is in a backup, and goes back from it: into a store, or into a folder', async () => {
  const [data, backup] = [join(folder, 'served'), join(folder, 'backup.svc')]
  const there = await serve(data, [], server.env)
  const key = readFirstRun(data).admin_key
  const headers = { authorization: `Bearer ${key}` }
  const texts = ['what is in the backup', '']
  const urls: string[] = []
  for (const text of texts) {
    const body = new FormData()
    body.append('file', new Blob([text]), 'a.txt')
    const made = await fetch(`${there.url}/v1/files`, { method: 'POST', headers, body })
    urls.push(((await made.json()) as { file_url: string }).file_url)
  }
  const written = await svc(['backup', backup, '--data', data, '--json'], server.env)
  assert.is(written.code, 0, written.stderr)
  assert.is(JSON.parse(written.stdout).uploads, 2)
  await there.end()
  const { prefix: _, ...store } = options
  for (const env of [{ ...server.env, SVC_FILES_URL: `s3://${store.bucket}/again` }, {}]) {
    const restored = join(folder, `restored${Object.keys(env).length}`)
    const done = await svc(['restore', backup, '--data', restored, '--any-key'], env)
    assert.is(done.code, 0, done.stderr)
    const again = await serve(restored, [], env)
    for (const [at, url] of urls.entries()) {
      const read = await fetch(`${again.url}${url}`, { headers })
      assert.equal([read.status, await read.text()], [200, texts[at]])
    }
    await again.end()
  }
})

test.run()

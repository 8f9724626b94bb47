import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
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
import { freePort } from '../../helpers/free-port.ts'
import { bearer, openTestApp, testClock } from '../test-app.ts'
import { picture } from './pictures.ts'

/** A server that speaks as S3 does and checks every signature; from npm, for these tests alone. */
const SERVER = 's3rver@3.7.1'

const test = suite('an S3-compatible store')

let folder: string
let server: ChildProcess
let options: S3Options

test.before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'svc-s3-'))
  writeFileSync(join(folder, 'package.json'), '{"private":true}')
  execFileSync('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund', SERVER], {
    cwd: folder,
    stdio: 'ignore',
  })
  const port = await freePort()
  const script = `new (require('s3rver'))({ port: ${port}, address: '127.0.0.1', silent: true,
    directory: ${JSON.stringify(join(folder, 'store'))}, configureBuckets: [{ name: 'papers' }] })
    .run().then(() => console.log('ready'))`
  server = spawn(process.execPath, ['-e', script], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await new Promise((resolve) => server.stdout?.once('data', resolve))
  options = {
    bucket: 'papers',
    prefix: 'svc/one',
    endpoint: `http://127.0.0.1:${port}`,
    region: 'us-east-1',
    accessKey: 'S3RVER',
    secretKey: 'S3RVER',
  }
})
test.after(() => {
  server.kill()
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

test('refuses who signs with another key', async () => {
  const stranger = openFiles({
    data: join(folder, 'data'),
    store: { ...options, secretKey: 'another' },
  })
  const code = await stranger.contents
    .open(hash('sha256', ''))
    .catch((error: Error & { code?: string }) => error.code)
  assert.is(code, 'UNAVAILABLE')
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

test.run()

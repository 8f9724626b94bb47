import { globSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { eventually, readFirstRun, serve, svc, temporaryFolder } from '../../cli/process.ts'
import { type S3Server, startS3Server } from '../../helpers/s3-server.ts'

const PIECE = Buffer.alloc(1 << 20, 'x')
const HEAD = '--b\r\nContent-Disposition: form-data; name="file"; filename="large.bin"\r\n\r\n'

/** A form with a file of so many megabytes, made as it is sent. */
async function* form(megabytes: number): AsyncGenerator<Buffer> {
  yield Buffer.from(HEAD)
  for (let sent = 0; sent < megabytes; sent += 1) yield PIECE
  yield Buffer.from('\r\n--b--\r\n')
}

function upload(
  { url, key }: { readonly url: string; readonly key: string },
  megabytes: number,
  signal?: AbortSignal,
): Promise<Response> {
  return fetch(`${url}/v1/files`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': 'multipart/form-data; boundary=b',
    },
    body: ReadableStream.from(form(megabytes)) as unknown as ReadableStream,
    duplex: 'half',
    ...(signal ? { signal } : {}),
  } as RequestInit)
}

/** Most memory that a process has had, in MB. */
function mostMemory(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  return Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1]) / 1024
}

for (const place of ['a folder', 'an S3-compatible store']) {
  const test = suite(`large files in ${place}`)
  const folder = temporaryFolder()
  const data = join(folder.path, 'data')
  let store: S3Server | undefined
  test.before(async () => {
    if (place !== 'a folder') store = await startS3Server(folder.path)
  })
  test.after(async () => {
    await store?.close()
    folder.remove()
  })

  const start = () => serve(data, [], store?.env)
  const to = ({ url }: { readonly url: string }) => ({ url, key: readFirstRun(data).admin_key })
  const incoming = (): string[] => globSync(join(data, 'files/incoming/*'))
  const contents = (): string[] =>
    globSync(store ? join(store.folder, 'svc/one/??/*') : join(data, 'files/??/*'))

  test('of 2 GB leave memory flat, on the way in and out', async () => {
    const server = await start()
    try {
      assert.is((await svc(['tier', 'set', 'business', '--data', data])).code, 0)
      assert.is((await upload(to(server), 1)).status, 201)
      const before = mostMemory(server.pid)
      const made = await upload(to(server), 2048)
      assert.is(made.status, 201, await made.clone().text())
      const { file_url, file_size } = (await made.json()) as { file_url: string; file_size: number }
      assert.is(file_size, 2 ** 31)
      assert.is(contents().filter((path) => statSync(path).size === 2 ** 31).length, 1)
      await eventually(() => incoming().length === 0)
      const headers = { authorization: `Bearer ${to(server).key}` }
      const read = await fetch(`${server.url}${file_url}`, { headers })
      let size = 0
      for await (const chunk of read.body ?? []) size += chunk.length
      assert.is(size, 2 ** 31)
      const grown = mostMemory(server.pid) - before
      console.log(`2 GB in and out of ${place}: at most ${Math.round(grown)} MB more memory`)
      assert.ok(grown < 120, `${grown} MB`)
    } finally {
      await server.end()
    }
  })

  test('that are cut off by a kill, or by who sends them, leave nothing', async () => {
    const server = await start()
    const kept = contents().length
    const cut = upload(to(server), 4000).catch(() => 'broken')
    await eventually(() => incoming().some((path) => statSync(path).size > 50_000_000))
    await server.end('SIGKILL')
    assert.is(await cut, 'broken')
    assert.equal([incoming().length, contents().length], [1, kept])
    const again = await start()
    try {
      assert.is((await upload(to(again), 3)).status, 201)
      await eventually(() => incoming().length === 0)
      const control = new AbortController()
      const left = upload(to(again), 4000, control.signal).catch(() => 'left')
      await eventually(() => incoming().some((path) => statSync(path).size > 20_000_000))
      control.abort()
      assert.is(await left, 'left')
      await eventually(() => incoming().length === 0)
      assert.is(contents().length, kept + 1)
    } finally {
      await again.end()
    }
  })

  test.run()
}

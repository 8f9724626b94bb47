import { request } from 'node:http'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { claimAddress } from '../../server/http/claim-address.ts'

const test = suite('an address that is claimed before there is anything to serve')

const WHERE = { port: 0, host: '127.0.0.1' }

test('answers 503 in the shape of all errors until something is served, then that', async () => {
  const address = await claimAddress(WHERE)
  const early = await fetch(`${address.url}/v1/customers`)
  assert.equal([early.status, early.headers.get('retry-after')], [503, '1'])
  const { error } = (await early.json()) as { error: { code: string; message: string } }
  assert.is(error.code, 'UNAVAILABLE')
  assert.match(error.message, 'ask again in a moment')

  address.answerWith((_request, response) => void response.end('served'))
  assert.is(await (await fetch(address.url)).text(), 'served')
  assert.is(await expecting(address.url), 'served')
  address.release()
  await fetch(address.url).then(
    () => assert.unreachable('it still answers'),
    () => undefined,
  )
})

test('is refused to a second one, and names the port it was given', async () => {
  const address = await claimAddress(WHERE)
  try {
    assert.is(address.url, `http://127.0.0.1:${address.port}`)
    await claimAddress({ ...WHERE, port: address.port }).then(
      () => assert.unreachable('two have it'),
      (error: NodeJS.ErrnoException) => assert.is(error.code, 'EADDRINUSE'),
    )
  } finally {
    address.release()
  }
})

/** What a client reads that asks first whether it may send its body. */
function expecting(url: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const headers = { expect: '100-continue', 'content-length': 0 }
    const sent = request(url, { method: 'POST', agent: false, headers }, async (response) => {
      let text = ''
      for await (const piece of response) text += piece
      resolve(text)
    })
    sent.on('error', reject).end()
  })
}

test.run()

import { readdirSync } from 'node:fs'
import { createServer, get as httpGet } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import express from 'express'
import request from 'supertest'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { countHeld, heldAnswers } from '../../server/http/held-bytes.ts'
import { longAnswer } from '../../server/http/long-answer.ts'
import type { ApiResponse } from '../../server/http/request-state.ts'

const answers = suite('long answers')

/** An app that answers with so many lines, each of its number, and counts what it holds. */
function appOf(lines: number) {
  const app = express()
  countHeld(app)
  const most = { held: 0 }
  app.get('/', async (_request, response) => {
    const held = heldAnswers(response)
    let now = 0
    const { take, give } = held
    held.take = (bytes) => {
      take(bytes)
      now += bytes
      most.held = Math.max(most.held, now)
    }
    held.give = (bytes) => {
      give(bytes)
      now -= bytes
    }
    const answer = longAnswer(response as unknown as ApiResponse)
    for (let n = 0; n < lines; n += 1) answer.add(`${String(n).padStart(99)}\n`)
    await answer.send('text/plain; charset=utf-8')
  })
  return { app, most }
}

const spools = (): string[] => readdirSync(tmpdir()).filter((name) => name.startsWith('svc-answer'))

answers(
  'come whole, whether they fit into memory or go to a file, and hold a megabyte at most',
  async () => {
    for (const lines of [1, 5_000, 60_000]) {
      const { app, most } = appOf(lines)
      const { text, headers } = await request(app).get('/').expect(200)
      assert.is(headers['content-length'], String(lines * 100))
      assert.is(text.length, lines * 100)
      assert.equal(
        text.split('\n').findIndex((line, n) => n < lines && Number(line) !== n),
        -1,
      )
      assert.ok(most.held <= 1024 * 1024, `${most.held} bytes`)
    }
  },
)

answers('leave no file behind, also where the client goes away', async () => {
  const before = spools()
  const server = createServer(appOf(200_000).app).listen(0)
  const { port } = server.address() as AddressInfo
  await new Promise<void>((resolve) => {
    const call = httpGet({ port, path: '/' }, (response) => {
      response.once('data', () => call.destroy())
      response.once('close', () => resolve())
    })
    call.on('error', () => undefined)
  })
  await new Promise<void>((resolve) => server.close(() => resolve()))
  assert.equal(spools(), before)
})

answers.run()

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

const lineOf = (n: number): string => `${String(n).padStart(99)}\n`

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
    const answer = longAnswer(response as unknown as ApiResponse, 'text/plain; charset=utf-8')
    for (let n = 0; n < lines; n += 1) answer.add(lineOf(n))
    await answer.send()
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

answers(
  'are sent while they are written, once nothing is left that would refuse them',
  async () => {
    const LINES = 30_000
    const app = express()
    countHeld(app)
    let more: () => void = () => undefined
    const isSeen = new Promise<void>((resolve) => {
      more = resolve
    })
    app.get('/', async (_request, response) => {
      const answer = longAnswer(response as unknown as ApiResponse, 'text/plain; charset=utf-8')
      answer.begin()
      for (let n = 0; n < LINES / 2; n += 1) answer.add(lineOf(n))
      await isSeen
      for (let n = LINES / 2; n < LINES; n += 1) answer.add(lineOf(n))
      await answer.send()
    })
    const server = createServer(app).listen(0)
    const { port } = server.address() as AddressInfo
    const text = await new Promise<string>((resolve, reject) => {
      httpGet({ port, path: '/' }, (response) => {
        let read = ''
        response.setEncoding('utf8').on('data', (part: string) => {
          more()
          read += part
        })
        response.once('end', () => resolve(read))
      }).on('error', reject)
    })
    server.close()
    assert.is(text.length, LINES * 100)
    assert.ok(text.split('\n').every((line, n) => n === LINES || Number(line) === n))
  },
)

answers('break off where they fail after their first byte, and leave no file', async () => {
  const before = spools()
  const app = express()
  countHeld(app)
  app.get('/', async (_request, response) => {
    const answer = longAnswer(response as unknown as ApiResponse, 'text/plain; charset=utf-8')
    answer.begin()
    for (let n = 0; n < 20_000; n += 1) answer.add(lineOf(n))
    await new Promise((resolve) => setImmediate(resolve))
    assert.ok(response.headersSent)
    response.destroy()
  })
  const server = createServer(app).listen(0)
  const { port } = server.address() as AddressInfo
  const isWhole = await new Promise<boolean>((resolve) => {
    httpGet({ port, path: '/' }, (response) => {
      response.resume().once('close', () => resolve(response.complete))
    }).on('error', () => resolve(false))
  })
  await new Promise<void>((resolve) => server.close(() => resolve()))
  assert.is(isWhole, false)
  assert.equal(spools(), before)
})

answers.run()

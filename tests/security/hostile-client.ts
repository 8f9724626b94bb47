import { Agent, request } from 'node:http'
import { parentPort, workerData } from 'node:worker_threads'
import type { Answer, Asked, FromClient, ToClient } from './hostile.ts'

/*
 * Clients of a server that is measured, in a thread of their own: what they need to send, read and understand is none of the
 * server's time. `hostile.ts` starts it.
 */

/** Longest text of an answer that is handed over. */
const TEXT = 100_000

const { url, light } = workerData as { readonly url: string; readonly light: Asked }
const agent = new Agent({ keepAlive: true, maxSockets: 200 })
const tell = (message: FromClient): void => parentPort!.postMessage(message)
let others: { count: number; ended: boolean; readonly end: Promise<void> } | undefined

function ask({ method, path, authorization, body }: Asked): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const type = body === undefined ? {} : { 'content-type': 'application/json' }
    const headers = { authorization, ...type }
    const sent = request(`${url}${path}`, { agent, method, headers }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('error', reject)
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString()
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          text: text.slice(0, TEXT),
          rows: text.length > TEXT ? rowsOf(text) : 0,
        })
      })
    })
    sent.on('error', reject)
    sent.end(body)
  })
}

function rowsOf(text: string): number {
  const { data } = JSON.parse(text) as { readonly data?: readonly unknown[] }
  return data?.length ?? 0
}

function beginOthers(): void {
  const mine = { count: 0, ended: false, end: Promise.resolve() }
  const run = async (): Promise<void> => {
    while (!mine.ended) {
      const { status } = await ask(light)
      if (status !== 200) throw new Error(`others are answered with ${status}`)
      mine.count += 1
    }
  }
  mine.end = run()
  others = mine
}

parentPort!.on('message', async (message: ToClient) => {
  if (message.do === 'ask') {
    const answers = await Promise.all(message.asked.map(ask))
    tell({ is: 'answers', id: message.id, answers })
  } else if (message.do === 'others') beginOthers()
  else if (message.do === 'enough' && others) {
    others.ended = true
    await others.end
    tell({ is: 'others', count: others.count })
  } else agent.destroy()
})

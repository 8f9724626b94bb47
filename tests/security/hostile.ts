import type { IncomingHttpHeaders } from 'node:http'
import { Worker } from 'node:worker_threads'

/** A request as it is sent. */
export interface Asked {
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly authorization: string
  /** JSON text. */
  readonly body?: string
}

export interface Answer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  /** Its text, or the beginning of a long one. */
  readonly text: string
  /** Rows of a long one. */
  readonly rows: number
}

/** What the thread of the clients is told, and tells. */
export type ToClient =
  | { readonly do: 'ask'; readonly id: number; readonly asked: readonly Asked[] }
  | { readonly do: 'others' | 'enough' | 'end' }
export type FromClient =
  | { readonly is: 'answers'; readonly id: number; readonly answers: readonly Answer[] }
  | { readonly is: 'others'; readonly count: number }

/** What others noticed of hostile requests. */
export interface Beside {
  readonly answers: readonly Answer[]
  /** Light requests of others that were answered meanwhile. */
  readonly others: number
  /**
   * Longest time for which the server worked without letting anybody in, as a multiple of what a light request takes it: both
   * by the CPU clock of its thread, so that it does not matter what else the machine does.
   */
  readonly times: number
}

/** Clients of a server that runs in this thread: their own work is done in another. */
export interface Clients {
  ask(...asked: readonly Asked[]): Promise<readonly Answer[]>
  /** Sends requests all at once, while others send light ones one after the other. */
  beside(...asked: readonly Asked[]): Promise<Beside>
  end(): Promise<void>
}

/** Light requests by which it is measured what one takes alone. */
const ALONE = 300

/** Starts the clients of the server at `url`; `light` is what others ask for. */
export async function startClients(url: string, light: Asked): Promise<Clients> {
  const worker = new Worker(new URL('hostile-client.ts', import.meta.url), {
    workerData: { url, light },
  })
  const waiting = new Map<number, (answers: readonly Answer[]) => void>()
  let counted: ((count: number) => void) | undefined
  let last = 0
  const failed = new Promise<never>((_, reject) => worker.once('error', reject))
  failed.catch(() => undefined)
  const tell = (message: ToClient): void => worker.postMessage(message)
  worker.on('message', (message: FromClient) => {
    if (message.is === 'others') counted?.(message.count)
    else waiting.get(message.id)!(message.answers)
  })

  function ask(...asked: readonly Asked[]): Promise<readonly Answer[]> {
    last += 1
    const id = last
    const answers = new Promise<readonly Answer[]>((resolve) => waiting.set(id, resolve))
    tell({ do: 'ask', id, asked })
    return Promise.race([answers, failed])
  }

  function enough(): Promise<number> {
    const count = new Promise<number>((resolve) => {
      counted = resolve
    })
    tell({ do: 'enough' })
    return Promise.race([count, failed])
  }

  for (let warm = 0; warm < ALONE; warm += 100) await ask(...Array<Asked>(100).fill(light))
  const before = process.threadCpuUsage()
  for (let at = 0; at < ALONE; at += 1) await ask(light)
  const own = milliseconds(process.threadCpuUsage(before)) / ALONE

  return {
    ask,
    async beside(...asked) {
      tell({ do: 'others' })
      const watch = watchThread()
      const answers = await ask(...asked)
      const busiest = watch.end()
      return { answers, others: await enough(), times: busiest / own }
    },
    async end() {
      tell({ do: 'end' })
      await worker.terminate()
    },
  }
}

/** Looks each millisecond how long this thread has worked since the last look; the most of it, in ms, is the end's. */
function watchThread(): { end(): number } {
  let busiest = 0
  let used = process.threadCpuUsage()
  const look = (): void => {
    busiest = Math.max(busiest, milliseconds(process.threadCpuUsage(used)))
    used = process.threadCpuUsage()
  }
  const timer = setInterval(look, 1)
  return {
    end() {
      clearInterval(timer)
      look()
      return busiest
    },
  }
}

function milliseconds({ user, system }: NodeJS.CpuUsage): number {
  return (user + system) / 1000
}

import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/** Question to the process of the receivers; each has one answer. */
export type Question =
  /** Forget all; these ports never answer from now on. */
  | { readonly kind: 'begin'; readonly hanging: readonly number[] }
  /** Answered as soon as so many distinct deliveries have come since the beginning. */
  | { readonly kind: 'await'; readonly count: number }
  /** Verify what came, with the secret of each port. */
  | { readonly kind: 'verify'; readonly secrets: Readonly<Record<number, string>> }

/** Requests that the receivers have seen since the beginning. */
export interface Seen {
  readonly requests: number
  readonly deliveries: number
  /** Requests of which both forms of the signature hold. */
  readonly verified: number
  /** Milliseconds from the change to the receiver. */
  readonly p50: number
  readonly p99: number
}

export interface Receivers {
  readonly ports: readonly number[]
  begin(hanging?: readonly number[]): Promise<void>
  reached(count: number): Promise<void>
  seen(secrets: Readonly<Record<number, string>>): Promise<Seen>
  stop(): void
}

const RECEIVERS = fileURLToPath(new URL('receivers.ts', import.meta.url))
/** The longest any number of deliveries is waited for, in ms. */
const PATIENCE = 120_000

/** Starts the receivers in a process of their own. */
export async function startReceivers(count: number): Promise<Receivers> {
  const child = fork(RECEIVERS, [String(count)])
  const answer = (): Promise<unknown> =>
    new Promise((resolve, reject) => {
      const timer = setTimeout(
        () => reject(new Error(`nothing came to the receivers that was waited for`)),
        PATIENCE,
      )
      child.once('message', (message) => {
        clearTimeout(timer)
        resolve(message)
      })
    })
  const ask = (question: Question): Promise<unknown> => {
    const answered = answer()
    child.send(question)
    return answered
  }
  const ports = (await answer()) as number[]
  return {
    ports,
    begin: async (hanging = []) => void (await ask({ kind: 'begin', hanging })),
    reached: async (wanted) => void (await ask({ kind: 'await', count: wanted })),
    seen: async (secrets) => (await ask({ kind: 'verify', secrets })) as Seen,
    stop: () => void child.disconnect(),
  }
}

import { setTimeout as sleep } from 'node:timers/promises'
import { diceOf } from '../../engine/base/dice.ts'
import { ask, type Outcome, type Request } from './ask.ts'
import { type Choices, type Client, type Deed, nextDeed } from './client.ts'
import { createJudge } from './judge.ts'
import type { Recipe } from './recipes.ts'
import type { Seen } from './seen.ts'
import type { Written } from './written.ts'

export interface LoadOptions {
  readonly apiKey: string
  readonly recipes: readonly Recipe[]
  readonly seed: number
  /** Text that begins every marker. */
  readonly prefix: string
  /** Addresses that are served now. */
  readonly urls: () => readonly string[]
}

/** Clients that write all the time, each its own documents, and remember what they were told. */
export interface Load {
  documents(): readonly Written[]
  /** Counts so far. */
  seen(): Seen
  /** Requests that wait for their answer now. */
  underWay(): number
  /** Sentences about answers that should not have come. */
  problems(): readonly string[]
  start(): void
  /** Resolves when no request is under way and none follows. */
  stop(): Promise<void>
  /** Asks again, each by its own key, for every outcome that is not known. Returns how many stay unknown. */
  settle(): Promise<number>
}

const CLIENTS = 6
/** Time after which what was put off is asked again, in ms. */
const AGAIN_MS = 100
/** How often an outcome is asked for by who insists, and in the end. */
const INSISTING = 50
const SETTLING = 300
/** Refusals after which documents of a recipe are made no more: what they use is used up. */
const REFUSALS = 8

export function createLoad({ apiKey, recipes, seed, prefix, urls }: LoadOptions): Load {
  const judge = createJudge()
  const clients = Array.from(
    { length: CLIENTS },
    (_, at): Client => ({ name: `${at}`, dice: diceOf(`${seed}/${at}`), own: [] }),
  )
  let counted = 0
  let underWay = 0
  let isStopping = true
  let working: Promise<unknown> = Promise.resolve()
  const count = (): number => {
    counted += 1
    return counted
  }
  const isUsedUp = (recipe: Recipe): boolean => judge.refusals(recipe) >= REFUSALS
  const choices: Choices = { recipes, prefix, count, isUsedUp }
  const documents = (): readonly Written[] => clients.flatMap(({ own }) => own)

  async function send({ dice }: Client, request: Request): Promise<Outcome> {
    const served = urls()
    if (served.length === 0) return 'closed'
    underWay += 1
    const outcome = await ask(dice.one(served), apiKey, request)
    underWay -= 1
    return outcome
  }

  async function read(client: Client): Promise<void> {
    const { slug } = client.dice.one(recipes)
    judge.read(slug, await send(client, { method: 'GET', path: `/v1/${slug}?limit=5` }))
  }

  /** Asks until there is an answer, or leaves the document with its question. */
  async function perform(client: Client, deed: Deed, tries: number): Promise<void> {
    const { document, request, step } = deed
    for (let tried = 0; tried < tries; tried += 1) {
      const outcome = await send(client, request)
      if (judge.change(deed, outcome)) return
      document.open = { request, step }
      await sleep(AGAIN_MS)
      // Whoever cannot write looks at what is there.
      if (outcome !== 'closed' && outcome !== 'silence') await read(client)
    }
  }

  async function work(client: Client): Promise<void> {
    const { dice } = client
    while (!isStopping) {
      if (urls().length === 0) await sleep(AGAIN_MS / 2)
      else if (dice.chance(0.25)) await read(client)
      // Some insist, others come back when all is over.
      else await perform(client, nextDeed(client, choices), dice.chance(0.5) ? INSISTING : 1)
    }
  }

  async function settleOwn(client: Client): Promise<void> {
    for (const document of client.own)
      if (document.open) await perform(client, { document, ...document.open }, SETTLING)
  }

  return {
    documents,
    seen: () => ({ ...judge.counts }),
    underWay: () => underWay,
    problems: () => judge.problems,
    start() {
      isStopping = false
      working = Promise.all(clients.map(work))
    },
    async stop() {
      isStopping = true
      await working
    },
    async settle() {
      await Promise.all(clients.map(settleOwn))
      return documents().filter(({ open }) => open !== undefined).length
    },
  }
}

import type { Job } from './write-batch.ts'

/**
 * Time after which a batch takes no further job while somebody else waits, and while nobody does, in ms. Each commit writes
 * out the pages of a dozen indexes, so more at once are cheaper; but everybody in a batch is answered after all of it.
 */
const BATCH_MS = 50
const BATCH_ALONE_MS = 500

/**
 * Time of a person's last job from which on their next one is in no batch with others, and with few of their own: who comes
 * meanwhile waits for the answers to all of them, in ms.
 */
const HEAVY_MS = 15

/** Persons whose jobs wait; they take turns, one job each. */
export interface WriteTurns {
  /** Adds a job of its person. */
  add(job: Job): void
  /** The job whose turn it is, taken; undefined where nobody waits, or where it is not for a batch that has gone on for so many ms. */
  next(ms: number | undefined): Job | undefined
  /** All that wait, which are taken then. */
  rest(): readonly Job[]
  areWaiting(): boolean
  /** Notes how long a job of a person has worked, in ms. */
  noteWork(person: string, ms: number): void
}

/** Makes the turns of the persons who write. */
export function createWriteTurns(): WriteTurns {
  /** Who waits, the one whose turn is next first. */
  const waiting = new Map<string, Job[]>()
  /** Persons whose last job was heavy. */
  const heavy = new Set<string>()
  let last: string | undefined

  /** Whose turn it is: not that of who had the last one, as long as somebody else waits. */
  function nextPerson(): string | undefined {
    const [first, second] = waiting.keys()
    return first === last && second !== undefined ? second : first
  }

  /** Whether a batch is over that has gone on for so many ms before this person's job. */
  function isOver(person: string, ms: number): boolean {
    if (heavy.has(person)) return person !== last || ms > BATCH_MS
    return ms > (person === last ? BATCH_ALONE_MS : BATCH_MS)
  }

  return {
    add(job) {
      const jobs = waiting.get(job.person)
      if (jobs) jobs.push(job)
      else waiting.set(job.person, [job])
    },
    next(ms) {
      const person = nextPerson()
      if (person === undefined || (ms !== undefined && isOver(person, ms))) return undefined
      const jobs = waiting.get(person)!
      const job = jobs.shift()
      last = person
      // Back to the end of the row: everybody else comes before their next one.
      waiting.delete(person)
      if (jobs.length > 0) waiting.set(person, jobs)
      return job
    },
    rest() {
      const jobs = [...waiting.values()].flat()
      waiting.clear()
      return jobs
    },
    areWaiting: () => waiting.size > 0,
    noteWork(person, ms) {
      if (ms >= HEAVY_MS) heavy.add(person)
      else heavy.delete(person)
    },
  }
}

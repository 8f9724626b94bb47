import type { Logger } from 'pino'
import type { Engine } from '../../engine/index.ts'
import type { Generation } from '../../engine/storage/migration/generations.ts'

/** Interval at which a server looks whether its definitions are still those of the workspace, in ms. */
const LOOK_EVERY = 5_000

/** What looks for newer definitions beside a server. */
export interface DefinitionWatch {
  /** Looks now. */
  look(): Promise<void>
  stop(): void
}

/** Sentence about a generation that another process brought: what `/readyz` and the log say. */
export function newerDefinitions({ number, program, folders, created }: Generation): string {
  return `newer definitions hold in this workspace: generation ${number}, brought on ${created} by ${program} with ${folders.join(' + ')}; this process takes no changes any more, start it again with those`
}

/** Loads newer definitions that another process brought, where the folders have them; else logs that once for each generation. */
export function watchDefinitions(
  engine: Pick<Engine, 'newer' | 'follow'>,
  logger: Pick<Logger, 'warn' | 'info'>,
  every = LOOK_EVERY,
): DefinitionWatch {
  let told = 0

  async function look(): Promise<void> {
    const newer = await engine.newer()
    if (!newer || newer.number <= told) return
    told = newer.number
    // Who reads the folder that was changed has the new definitions by reading it again.
    const isFollowed = await engine.follow(newer).catch(() => false)
    if (isFollowed) return logger.info({ generation: newer.number }, 'newer definitions loaded')
    logger.warn({ generation: newer.number }, newerDefinitions(newer))
  }

  const timer = setInterval(() => {
    // A database that is away is the business of who needs it; the next look tells.
    look().catch(() => undefined)
  }, every)
  timer.unref()
  return { look, stop: () => clearInterval(timer) }
}

import { run } from '../run.ts'
import type { Leap } from './words.ts'

/**
 * Serves a copy in this process, whose clock leaps when it is told to; it ends when whoever started it does. The clock of
 * the whole process leaps, not only what asks for one, as it is when somebody sets that of the machine.
 */
export function serveUnderChaos(args: readonly string[]): Promise<void> {
  const clock = letClockLeap()
  process.on('message', (message: Leap) => clock.leap(message.leapMs))
  process.on('disconnect', () => process.exit(1))
  // A start that is refused ends the process, though somebody listens to it.
  process.channel?.unref()
  return run(['serve', ...args])
}

/** Puts a clock in front of that of this process. */
function letClockLeap(): { leap(ms: number): void } {
  const Machine = Date
  let off = 0
  const now = (): number => Machine.now() + off
  globalThis.Date = new Proxy(Machine, {
    construct: (target, args, newTarget) =>
      Reflect.construct(target, args.length === 0 ? [now()] : args, newTarget),
    apply: () => new Machine(now()).toString(),
    get: (target, name, receiver) => (name === 'now' ? now : Reflect.get(target, name, receiver)),
  })
  return {
    leap(ms) {
      off = ms
    },
  }
}

import { run } from '../../cli/run.ts'
import type { Finished } from './process.ts'

/**
 * Runs a command line in this process, one at a time, and gives what a process of its own would have: dozens of
 * calls cost the start of none. Not for commands that wait for a signal.
 */
export async function runHere(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Finished> {
  const output = { stdout: '', stderr: '' }
  const restore = [takeOver('stdout'), takeOver('stderr'), setSettings(env)]
  const { exitCode } = process
  try {
    process.exitCode = undefined
    await run(args)
    return { code: Number(process.exitCode ?? 0), ...output }
  } finally {
    process.exitCode = exitCode
    for (const undo of restore) undo()
  }

  function takeOver(stream: 'stdout' | 'stderr'): () => void {
    const { write } = process[stream]
    process[stream].write = (chunk: string | Uint8Array, ...rest: unknown[]): boolean => {
      output[stream] += typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString()
      const written = rest.find((one) => typeof one === 'function')
      if (written) process.nextTick(written)
      return true
    }
    return () => {
      process[stream].write = write
    }
  }
}

/** Settings of the machine the tests run on are not those of a test. Returns what puts them back. */
function setSettings(env: Readonly<Record<string, string>>): () => void {
  const before = Object.entries(process.env).filter(
    ([name]) => name.startsWith('SVC_') || name in env,
  )
  for (const [name] of before) delete process.env[name]
  Object.assign(process.env, env)
  return () => {
    for (const name of Object.keys(env)) delete process.env[name]
    Object.assign(process.env, Object.fromEntries(before))
  }
}

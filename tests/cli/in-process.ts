import { UsageError } from '../../cli/failure.ts'
import { createProgram } from '../../cli/program.ts'
import type { Finished } from './process.ts'

/**
 * Runs a command of the program in this process and gives what its own one would have: dozens of calls cost
 * the start of none. For commands that print by `console`; what goes to stdout as a stream is not caught.
 */
export async function runHere(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Finished> {
  const out: string[] = []
  const err: string[] = []
  const { log, error } = console
  const own = { ...process.env }
  Object.assign(process.env, env)
  console.log = (...texts: unknown[]) => void out.push(`${texts.join(' ')}\n`)
  console.error = (...texts: unknown[]) => void err.push(`${texts.join(' ')}\n`)
  let code = 0
  try {
    await (await createProgram(args)).parseAsync([...args], { from: 'user' })
    code = Number(process.exitCode ?? 0)
  } catch (problem) {
    code = problem instanceof UsageError ? 2 : 1
    err.push(`svc: ${(problem as Error).message}\n`)
  } finally {
    Object.assign(console, { log, error })
    process.env = own
    process.exitCode = 0
  }
  return { code, stdout: out.join(''), stderr: err.join('') }
}

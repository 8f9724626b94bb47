import { CommanderError } from 'commander'
import { fileProblem } from '../engine/base/file-error.ts'
import { damageAdvice } from '../engine/storage/database/damage.ts'
import { UsageError } from './failure.ts'
import { withHelp } from './help.ts'
import { createProgram } from './program.ts'

/** Exit codes of contract §2. */
const FAILED = 1
const WRONG_USAGE = 2

/**
 * Runs the command line with these arguments (`process.argv` without its first two) and never rejects: what goes
 * wrong is told on stderr and becomes `process.exitCode`.
 */
export async function run(args: readonly string[]): Promise<void> {
  const program = await createProgram(args)
  try {
    await program.parseAsync(withHelp(program, args), { from: 'user' })
  } catch (error) {
    process.exitCode = report(error, program.opts().debug === true)
  }
}

/** Tells stderr what went wrong and returns the exit code. */
function report(error: unknown, debug: boolean): number {
  // commander has said it already.
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : WRONG_USAGE
  const message = messageOf(error)
  const stack = error instanceof Error ? error.stack : undefined
  console.error(debug && stack !== undefined ? stack : withName(error, message))
  return error instanceof UsageError ? WRONG_USAGE : FAILED
}

/** An error of the system names the file it is about, and no call of ours. */
function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const advice = damageAdvice(error)
  if (advice !== undefined) return advice
  const { path, syscall } = error as NodeJS.ErrnoException
  return path === undefined || syscall === undefined
    ? error.message
    : `${path}: ${fileProblem(error)}`
}

/** Mistakes in YAML stand alone, one `file:line:column: message` a line, so that editors can jump to them. */
function withName(error: unknown, message: string): string {
  return error instanceof Error && error.name === 'DefinitionErrors' ? message : `svc: ${message}`
}

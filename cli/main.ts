import { CommanderError } from 'commander'
import { UsageError } from './failure.ts'
import { createProgram } from './program.ts'

/** Exit codes of contract §2. */
const FAILED = 1
const WRONG_USAGE = 2

// Not awaited: the single binary is a script, which cannot wait at its top.
void main(process.argv.slice(2))

async function main(args: readonly string[]): Promise<void> {
  process.stdout.on('error', endWithReader)
  const program = await createProgram(args)
  try {
    await program.parseAsync(args, { from: 'user' })
  } catch (error) {
    process.exitCode = report(error, program.opts().debug === true)
  }
}

/** Tells stderr what went wrong and returns the exit code. */
function report(error: unknown, debug: boolean): number {
  // commander has said it already.
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : WRONG_USAGE
  const message = error instanceof Error ? error.message : String(error)
  const stack = error instanceof Error ? error.stack : undefined
  console.error(debug && stack !== undefined ? stack : withName(error, message))
  return error instanceof UsageError ? WRONG_USAGE : FAILED
}

/** Mistakes in YAML stand alone, one `file:line:column: message` a line, so that editors can jump to them. */
function withName(error: unknown, message: string): string {
  return error instanceof Error && error.name === 'DefinitionErrors' ? message : `svc: ${message}`
}

/** `svc types | head` closes our output early: nobody reads on, which is no failure. */
function endWithReader(error: NodeJS.ErrnoException): void {
  if (error.code === 'EPIPE') process.exit(0)
  throw error
}

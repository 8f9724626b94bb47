import { run } from './run.ts'

process.stdout.on('error', endWithReader)
// Not awaited: the single binary is a script, which cannot wait at its top.
void run(process.argv.slice(2))

/** `svc types | head` closes our output early: nobody reads on, which is no failure. */
function endWithReader(error: NodeJS.ErrnoException): void {
  if (error.code === 'EPIPE') process.exit(0)
  throw error
}

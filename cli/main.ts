import { READER_WORD } from '../engine/storage/deep/messages.ts'
import { run } from './run.ts'

process.stdout.on('error', endWithReader)
// Not awaited: the single binary is a script, which cannot wait at its top.
void (process.argv[2] === READER_WORD ? read() : run(process.argv.slice(2)))

/** The single binary has no other file for a process that reads beside the server. */
async function read(): Promise<void> {
  const { startReader } = await import('../engine/storage/database/sqlite-reader.ts')
  startReader()
}

/** `svc types | head` closes our output early: nobody reads on, which is no failure. */
function endWithReader(error: NodeJS.ErrnoException): void {
  if (error.code === 'EPIPE') process.exit(0)
  throw error
}

import { READER_WORD } from '../engine/storage/deep/messages.ts'
import { THUMBNAIL_WORD } from '../server/files/thumbnail-word.ts'
import { PAPER_WORD } from '../server/print/paper-word.ts'
import { CHECK_WORD } from '../server/studio/check-word.ts'
import { CHAOS_SERVER_WORD } from './chaos/words.ts'
import { run } from './run.ts'

process.stdout.on('error', endWithReader)
// Not awaited: the single binary is a script, which cannot wait at its top.
void main(process.argv.slice(2))

/** The single binary has no other file for a process that is not a command. */
async function main(args: readonly string[]): Promise<void> {
  if (args[0] === READER_WORD) {
    const { startReader } = await import('../engine/storage/database/sqlite-reader.ts')
    startReader()
  } else if (args[0] === THUMBNAIL_WORD) {
    const { makeThumbnail } = await import('../server/files/thumbnail-process.ts')
    await makeThumbnail()
  } else if (args[0] === PAPER_WORD) {
    const { drawPdf } = await import('../server/print/pdf-process.ts')
    await drawPdf()
  } else if (args[0] === CHECK_WORD) {
    const { checkOnStdin } = await import('./studio/definition-check.ts')
    await checkOnStdin()
  } else if (args[0] === CHAOS_SERVER_WORD) {
    const { serveUnderChaos } = await import('./chaos/server.ts')
    await serveUnderChaos(args.slice(1))
  } else await run(args)
}

/** `svc types | head` closes our output early: nobody reads on, which is no failure. */
function endWithReader(error: NodeJS.ErrnoException): void {
  if (error.code === 'EPIPE') process.exit(0)
  throw error
}

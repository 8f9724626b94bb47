import { once } from 'node:events'
import { open } from 'node:fs/promises'
import { Failure } from '../failure.ts'
import { writeNewFile } from '../new-file.ts'

/** Takes the next piece of a long text; resolves when there is room for another. */
export type Put = (text: string) => Promise<void>

/**
 * Lets `write` put a text on standard output, or into a file. The file gets its name only when it is whole: who
 * finds it need not ask whether the export that wrote it came to its end. It replaces one of that name. Throws
 * Failure where it cannot be written.
 */
export function withOutput<T>(
  file: string | undefined,
  write: (put: Put) => Promise<T>,
): Promise<T> {
  if (file === undefined) return write(putOnStdout)
  return writeNewFile(file, true, async (temporary) => {
    const handle = await open(temporary, 'a')
    try {
      return await write((text) =>
        handle.appendFile(text).catch((error: Error) => {
          throw new Failure(`cannot write ${file}: ${error.message}`, { cause: error })
        }),
      )
    } finally {
      await handle.close()
    }
  })
}

async function putOnStdout(text: string): Promise<void> {
  if (text !== '' && !process.stdout.write(text)) await once(process.stdout, 'drain')
}

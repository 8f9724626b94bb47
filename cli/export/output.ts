import { once } from 'node:events'
import { createWriteStream, renameSync, rmSync, statSync } from 'node:fs'
import type { Writable } from 'node:stream'
import { finished } from 'node:stream/promises'
import { partialOf } from '../backup/new-file.ts'
import { Failure } from '../failure.ts'

/** Where a long text goes, at the pace of who takes it. */
export interface Output {
  write(text: string): Promise<void>
  /** The text is whole. */
  end(): Promise<void>
  /** What has been written of a file is taken away. */
  abandon(): void
}

/**
 * Standard output, or a file. The file gets its name only when it is whole: who finds it need not ask whether
 * the export that wrote it came to its end. It replaces one of that name. Throws Failure where it cannot be
 * written.
 */
export function openOutput(file: string | undefined): Output {
  if (file === undefined)
    return {
      write: (text) => put(process.stdout, text),
      end: async () => undefined,
      abandon: () => undefined,
    }
  // A pipe or a device would be replaced by the file, for everybody else too.
  if (statSync(file, { throwIfNoEntry: false })?.isFile() === false)
    throw new Failure(`${file} is no file; name one that can be written, or leave --out away`)
  const part = partialOf(file)
  const stream = createWriteStream(part)
  let failure: Error | undefined
  stream.on('error', (error) => {
    failure = new Failure(`cannot write ${file}: ${error.message}`, { cause: error })
  })
  return {
    async write(text) {
      if (failure) throw failure
      await put(stream, text).catch((error: unknown) => {
        throw failure ?? error
      })
    },
    async end() {
      stream.end()
      await finished(stream).catch((error: unknown) => {
        throw failure ?? error
      })
      renameSync(part, file)
    },
    abandon() {
      stream.destroy()
      rmSync(part, { force: true })
    },
  }
}

async function put(stream: Writable, text: string): Promise<void> {
  if (text !== '' && !stream.write(text)) await once(stream, 'drain')
}

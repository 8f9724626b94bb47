import { randomUUID } from 'node:crypto'
import { closeSync, openSync, read, unlinkSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const readFrom = promisify(read)

/** Bytes that are kept in a file of the temporary folder, which nobody else sees and which goes with the process. */
export interface SpooledBytes {
  /** Adds some. Throws the system's error where the disk takes no more. */
  add(piece: Buffer): void
  /** Says that all have been added. */
  finish(): void
  /** All of them in pieces, from the first one on; it waits for those that are still to come. */
  pieces(): AsyncGenerator<Buffer>
  /** Gives the file back; pieces that are being read end. */
  end(): void
}

const PIECE = 65_536

/** Opens a file for bytes; undefined where the temporary folder takes none. */
export function spoolBytes(folder: string = tmpdir()): SpooledBytes | undefined {
  const path = join(folder, `svc-answer-${randomUUID()}`)
  let file: number | undefined
  try {
    file = openSync(path, 'wx+', 0o600)
  } catch {
    return undefined
  }
  // Without its name nobody else can open it, and a process that is killed leaves nothing behind.
  const isNamed = !isRemoved(path)
  let bytes = 0
  let reading = false
  let ended = false
  let isWhole = false
  let tell = (): void => undefined

  function end(): void {
    ended = true
    tell()
    if (file === undefined || reading) return
    closeSync(file)
    file = undefined
    if (isNamed) isRemoved(path)
  }

  return {
    add(piece) {
      bytes += writeSync(file!, piece, 0, piece.length, bytes)
      tell()
    },
    finish() {
      isWhole = true
      tell()
    },
    async *pieces() {
      try {
        for (let at = 0; !ended; ) {
          if (at === bytes) {
            if (isWhole) break
            await new Promise<void>((resolve) => {
              tell = resolve
            })
            continue
          }
          reading = true
          const piece = Buffer.allocUnsafe(Math.min(PIECE, bytes - at))
          const { bytesRead } = await readFrom(file!, piece, 0, piece.length, at)
          reading = false
          if (bytesRead === 0) break
          at += bytesRead
          yield piece.subarray(0, bytesRead)
        }
      } finally {
        reading = false
        if (ended) end()
      }
    },
    end,
  }
}

function isRemoved(path: string): boolean {
  try {
    unlinkSync(path)
    return true
  } catch {
    return false
  }
}

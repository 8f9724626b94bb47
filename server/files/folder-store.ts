import { createReadStream, existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { flushToDisk } from '../../engine/base/flush.ts'
import { type ContentStore, MADE } from './content-store.ts'

/** Folder in it for files that are still arriving. */
const INCOMING = 'incoming'

/** Contents in a folder of this machine: `ab/abcd…`, two letters of the hash being a folder of their own. */
export function folderStore(folder: string): ContentStore {
  const pathOf = (hash: string, made?: string): string =>
    join(folder, hash.slice(0, 2), made === undefined ? hash : `${hash}.${made}`)

  return {
    place: `the folder ${folder}`,
    async put({ path, hash }) {
      const target = pathOf(hash)
      if (existsSync(target)) return
      mkdirSync(dirname(target), { recursive: true, mode: 0o700 })
      renameSync(path, target)
      flushToDisk(dirname(target))
    },
    async putMade(hash, word, bytes) {
      const target = pathOf(hash, word)
      mkdirSync(dirname(target), { recursive: true, mode: 0o700 })
      const beside = `${target}.${process.pid}.partial`
      writeFileSync(beside, bytes, { mode: 0o600 })
      renameSync(beside, target)
    },
    async open(hash, { range, made } = {}) {
      const file = await open(pathOf(hash, made)).catch((error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT') return undefined
        throw error
      })
      return file && createReadStream('', { fd: file, ...range })
    },
    async remove(hash) {
      for (const made of [undefined, ...MADE]) rmSync(pathOf(hash, made), { force: true })
    },
  }
}

/** Folder where files arrive before it is known what they are called: on the disk of the folder of contents. */
export function incomingFolder(folder: string): string {
  return join(folder, INCOMING)
}

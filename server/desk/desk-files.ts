import { hash } from 'node:crypto'
import { extname, join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { fileSystem, PROGRAM_FOLDER } from '../../engine/base/packaged-files.ts'

/** Folder of the built Desk: `dist/desk` of the checkout, or of what the binary carries. */
export const DESK_FOLDER = join(PROGRAM_FOLDER, 'dist/desk')

/** Folder of the files that the page of the Desk loads. */
const ASSETS = 'desk-assets'

/** Path below which they are served; their names say what is in them, so they never change. */
export const DESK_ASSETS = `/${ASSETS}/`

/** Encodings a file may lie packed in, best first: as HTTP names them → ending of the file. */
const PACKED = { br: '.br', gzip: '.gz' } as const

type Encoding = keyof typeof PACKED

/** A file of the Desk in the forms it can be sent in. */
export interface DeskFile {
  /** Ending of its name: `.js`. */
  readonly type: string
  /** Weak tag of its content. */
  readonly tag: string
  /** Its bytes in the best of these encodings that it has; `encoding` is undefined for the plain ones. */
  in(encodings: readonly string[]): {
    readonly bytes: Buffer
    readonly encoding: Encoding | undefined
  }
}

/** The built Desk: the page all of its addresses show, and the files that this page loads, by their path. */
export interface DeskFiles {
  readonly page: DeskFile
  /** Script that keeps the files in the browser. */
  readonly worker: DeskFile
  readonly assets: ReadonlyMap<string, DeskFile>
}

/** Reads which files there are; undefined where nobody has built the Desk. Their bytes are read when first asked for. */
export function openDesk(folder: string = DESK_FOLDER): DeskFiles | undefined {
  const assets = join(folder, ASSETS)
  if (!fileSystem.exists(assets)) return undefined
  const names = new Set(fileSystem.list(assets).map(({ name }) => name.replace(/\.(br|gz)$/, '')))
  return {
    page: deskFile(join(folder, 'index.html')),
    worker: deskFile(join(folder, 'service-worker.js')),
    assets: new Map(
      [...names].map((name) => [`${DESK_ASSETS}${name}`, deskFile(join(assets, name))]),
    ),
  }
}

function deskFile(path: string): DeskFile {
  const read = new Map<string, Buffer | undefined>()
  function bytesOf(ending: string): Buffer | undefined {
    if (!read.has(ending))
      read.set(
        ending,
        fileSystem.exists(path + ending) ? fileSystem.bytes(path + ending) : undefined,
      )
    return read.get(ending)
  }

  /** The binary carries packed files alone. */
  function plain(): Buffer {
    return bytesOf('') ?? gunzipSync(bytesOf(PACKED.gzip)!)
  }

  return {
    type: extname(path),
    get tag() {
      return `W/"${hash('sha256', bytesOf(PACKED.br) ?? plain(), 'base64url')}"`
    },
    in(encodings) {
      for (const encoding of Object.keys(PACKED) as Encoding[]) {
        const bytes = encodings.includes(encoding) ? bytesOf(PACKED[encoding]) : undefined
        if (bytes) return { bytes, encoding }
      }
      return { bytes: plain(), encoding: undefined }
    },
  }
}

import { createHash } from 'node:crypto'
import { globSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import type { Plugin } from 'vite'
import { deskSize, overBudget } from './desk-budget.ts'
import { firstScript } from './desk-first.ts'
import { iconSheets } from './desk-icons.ts'
import { writeWorker } from './desk-worker.ts'

/** Folder of the built Desk in the checkout, and in the binary. */
export const DESK_FOLDER = 'dist/desk'

/** What the Desk is made of: a change of anything else leaves it as it is. */
const SOURCES = ['desk/**/*', 'build/desk*.ts', 'doctypes/**/*.yaml', 'package-lock.json']

/** Folder of its files, and their path. */
const ASSETS = 'desk-assets'

/** Says of which sources the Desk beside it was made. */
const MADE_OF = 'sources.txt'

/** Says which packages it has something of, a folder a line: their licences go with it. */
const PACKAGES = 'packages.txt'

/** Files of the folder that nobody is handed. */
const NOTES = [MADE_OF, PACKAGES]

/** Files that shrink when they are packed; fonts and pictures are packed already. */
const PACKED = new Set(['.js', '.css', '.html', '.svg', '.json', '.wasm'])

/**
 * Makes `dist/desk` of `desk/`, unless it was made of these very sources: every file lies there beside its packed forms
 * (`.br`, `.gz`), which the server hands out as they are. True when it was made. Throws where it is larger than it may be.
 */
export async function buildDesk(root: string): Promise<boolean> {
  const folder = join(root, DESK_FOLDER)
  const checksum = checksumOf(root)
  if (madeOf(folder) === checksum) return false
  const { build } = await import('vite')
  const { own, named } = iconSheets(root)
  const first = await firstScript(root)
  const packages = new Set<string>()
  await build({
    configFile: false,
    root: join(root, 'desk'),
    logLevel: 'error',
    publicDir: false,
    plugins: [beginWith(`/${ASSETS}/${first.name}`), noting(packages)],
    define: {
      DESK_ICONS: JSON.stringify(`/${ASSETS}/${own.name}`),
      DESK_MORE_ICONS: JSON.stringify(`/${ASSETS}/${named.name}`),
    },
    build: {
      outDir: folder,
      emptyOutDir: true,
      assetsDir: ASSETS,
      // Every file has an address of its own: none is written into another, which the content policy would refuse.
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      target: 'es2023',
      reportCompressedSize: false,
      // What the first screen needs is one file: a browser has few connections, and styles would wait for one.
      rolldownOptions: {
        output: { codeSplitting: { groups: [{ name: 'desk', tags: ['$initial'] }] } },
      },
    },
  })
  for (const { name, svg } of [own, named]) writeFileSync(join(folder, ASSETS, name), svg)
  writeFileSync(join(folder, ASSETS, first.name), first.code)
  await writeWorker(root, folder, ASSETS)
  pack(folder)
  const over = overBudget(deskSize(folder))
  if (over.length > 0) throw new Error(`the Desk is larger than it may be: ${over.join('; ')}`)
  writeFileSync(join(folder, PACKAGES), [...packages].sort().join('\n'))
  writeFileSync(join(folder, MADE_OF), checksum)
  return true
}

/** Makes a script the first of the page: it runs before the page is read any further. */
function beginWith(src: string): Plugin {
  return {
    name: 'desk-first',
    transformIndexHtml: {
      order: 'post',
      handler: () => [{ tag: 'script', attrs: { src }, injectTo: 'head-prepend' }],
    },
  }
}

/** Notes the folders of the packages that scripts, styles and files come from. */
function noting(packages: Set<string>): Plugin {
  return {
    name: 'desk-packages',
    generateBundle() {
      for (const id of this.getModuleIds()) {
        const [, folder] = /^\0?(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(id) ?? []
        if (folder !== undefined) packages.add(folder.slice(folder.indexOf('node_modules/')))
      }
    },
  }
}

/** Folders of the packages that the built Desk has something of, below the checkout. */
export function deskPackages(root: string): readonly string[] {
  return readFileSync(join(root, DESK_FOLDER, PACKAGES), 'utf8').split('\n')
}

/** Files of the built Desk that the binary carries, below its folder: each packed, or plain where it has no packed form. */
export function deskFiles(root: string): readonly string[] {
  const names = globSync(`${DESK_FOLDER}/**/*.*`, { cwd: root }).map((name) =>
    name.replaceAll('\\', '/'),
  )
  return names.filter(
    (name) => !NOTES.some((note) => name.endsWith(note)) && !names.includes(`${name}.gz`),
  )
}

function madeOf(folder: string): string | undefined {
  try {
    return readFileSync(join(folder, MADE_OF), 'utf8')
  } catch (_neverBuilt) {
    return undefined
  }
}

function checksumOf(root: string): string {
  const checksum = createHash('sha256')
  const names = SOURCES.flatMap((pattern) => globSync(pattern, { cwd: root }))
  for (const name of names.sort()) {
    const file = join(root, name)
    if (statSync(file).isFile()) checksum.update(`\0${name}\0`).update(readFileSync(file))
  }
  return checksum.digest('hex')
}

function pack(folder: string): void {
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    if (!PACKED.has(extname(name))) continue
    const bytes = readFileSync(join(folder, name))
    const quality = { [constants.BROTLI_PARAM_QUALITY]: 10 }
    writeFileSync(join(folder, `${name}.br`), brotliCompressSync(bytes, { params: quality }))
    writeFileSync(join(folder, `${name}.gz`), gzipSync(bytes, { level: 9 }))
  }
}

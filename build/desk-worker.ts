import { hash } from 'node:crypto'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Files that few need and that are large: they are kept once they have been asked for. */
const LATER = '.wasm'

/** Name of the script that keeps the Desk's own files in the browser; it stands at the root, so that it is asked for all addresses. */
const WORKER = 'service-worker.js'

/**
 * Writes the service worker of a built Desk into its folder: it knows the files by name, and the page as a file of its own, whose
 * name says what is in it. A new build is a new script, which browsers notice by themselves.
 */
export async function writeWorker(root: string, folder: string, assets: string): Promise<void> {
  const page = readFileSync(join(folder, 'index.html'))
  const name = `desk-${hash('sha256', page, 'base64url').slice(0, 8)}.html`
  const names = readdirSync(join(folder, assets)).filter((file) => !file.endsWith(LATER))
  const files = names.map((file) => `/${assets}/${file}`)
  writeFileSync(join(folder, assets, name), page)
  writeFileSync(join(folder, WORKER), await script(root, `/${assets}/${name}`, files.sort()))
}

async function script(root: string, page: string, files: readonly string[]): Promise<string> {
  const { build } = await import('vite')
  const built = await build({
    configFile: false,
    root: join(root, 'desk'),
    logLevel: 'error',
    publicDir: false,
    define: { DESK_PAGE: JSON.stringify(page), DESK_FILES: JSON.stringify(files) },
    build: {
      write: false,
      target: 'es2023',
      minify: true,
      lib: { entry: 'boot/worker.ts', formats: ['iife'], name: 'worker' },
    },
  })
  const [output] = Array.isArray(built) ? built : [built]
  const chunk = output && 'output' in output ? output.output[0] : undefined
  if (!chunk) throw new Error('expected desk/boot/worker.ts to be built into a script')
  return chunk.code
}

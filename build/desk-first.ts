import { hash } from 'node:crypto'
import { join } from 'node:path'

/** Script that runs before all others of the page. */
export interface FirstScript {
  /** Name of its file, which says what is in it. */
  readonly name: string
  readonly code: string
}

/** The script `desk/boot/first.ts` with all it imports, as one file that needs no other: it runs while those are on their way. */
export async function firstScript(root: string): Promise<FirstScript> {
  const { build } = await import('vite')
  const built = await build({
    configFile: false,
    root: join(root, 'desk'),
    logLevel: 'error',
    publicDir: false,
    build: {
      write: false,
      target: 'es2023',
      minify: true,
      lib: { entry: 'boot/first.ts', formats: ['iife'], name: 'first' },
    },
  })
  const [output] = Array.isArray(built) ? built : [built]
  const chunk = output && 'output' in output ? output.output[0] : undefined
  if (!chunk) throw new Error('expected desk/boot/first.ts to be built into a script')
  return {
    name: `first-${hash('sha256', chunk.code, 'base64url').slice(0, 8)}.js`,
    code: chunk.code,
  }
}

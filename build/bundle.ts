import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { build, type Metafile, type Plugin } from 'esbuild'

export interface Bundle {
  readonly code: string
  readonly metafile: Metafile
}

/**
 * Bundles all code of the program into one script: CommonJS, because that is what a single executable of Node 24 runs.
 * What is imported with `import()` is part of it and comes to life when it is first asked for. Throws with esbuild's
 * problems, its warnings among them.
 */
export async function bundle(root: string): Promise<Bundle> {
  const { outputFiles, metafile, warnings } = await build({
    absWorkingDir: root,
    entryPoints: ['cli/main.ts'],
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node24',
    minify: true,
    write: false,
    metafile: true,
    logLevel: 'silent',
    plugins: [PACKAGED_FILES, LAZY_LIBRARIES, CARRIED_SQLITE, ...WITHOUT.map(without)],
  })
  if (warnings.length > 0)
    throw new Error(warnings.map(({ text, location }) => `${location?.file}: ${text}`).join('\n'))
  return { code: outputFiles[0]!.text, metafile }
}

/**
 * A script has no `import.meta`. This file asks for it in a checkout alone; any other that does gets esbuild's
 * warning, which ends the build.
 */
const PACKAGED_FILES: Plugin = {
  name: 'packaged files',
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]engine[\\/]base[\\/]packaged-files\.ts$/ }, async ({ path }) => {
      const text = await readFile(path, 'utf8')
      return { contents: text.replace(/import\.meta\.\w+/g, "'/'"), loader: 'ts' }
    })
  },
}

/** `load('yaml')` is a `require` that esbuild cannot see; here it becomes one that it can. */
const LAZY_LIBRARIES: Plugin = {
  name: 'lazy libraries',
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]engine[\\/]base[\\/]lazy-libraries\.ts$/ }, async ({ path }) => {
      const text = await readFile(path, 'utf8')
      const contents = text
        .replace(/^import \{ createRequire \}.*$/m, '')
        .replace(/^const load = createRequire\(.*$/m, '')
        .replace(/\bload\(('[^']+')\)/g, 'require($1)')
      if (/\bload\(|createRequire\(/.test(contents))
        throw new Error(`${path} loads a library in a way that build/bundle.ts does not know`)
      return { contents, loader: 'ts' }
    })
  },
}

/** better-sqlite3 looks for its native library beside itself, where in the binary nothing lies. */
const CARRIED_SQLITE: Plugin = {
  name: 'carried SQLite',
  setup({ onLoad, initialOptions: { absWorkingDir = '' } }) {
    onLoad({ filter: /[\\/]better-sqlite3[\\/]lib[\\/]binding\.js$/ }, () => ({
      contents: `exports.getBinding = require('./engine/storage/database/sqlite-library.ts').carriedLibrary`,
      resolveDir: absWorkingDir,
      loader: 'js',
    }))
  },
}

interface LeftOut {
  readonly library: string
  /** The folder of the library that asks for it; others get the real one. */
  readonly from: string
  /** Code that stands there instead. */
  readonly contents: string
}

const WITHOUT: readonly LeftOut[] = [
  // `format: false` (engine/schema/types/typescript.ts) never calls it; it is 5 MB.
  { library: 'prettier', from: 'json-schema-to-typescript', contents: 'exports.format = refuse' },
  // We read bodies ourselves (server/http/body.ts); it brings 500 KB of character sets.
  {
    library: 'body-parser',
    from: 'express',
    contents: 'for (const name of ["json", "raw", "text", "urlencoded"]) exports[name] = refuse',
  },
  // An optional part of pg that nobody has installed.
  { library: 'pg-native', from: 'pg', contents: 'refuse()' },
]

function without({ library, from, contents }: LeftOut): Plugin {
  const refusal = JSON.stringify(`${library} is not part of the single binary`)
  return {
    name: `without ${library}`,
    setup({ onResolve, onLoad }) {
      onResolve({ filter: new RegExp(`^${library}$`) }, ({ importer }) =>
        importer.includes(join('node_modules', from))
          ? { path: library, namespace: 'left-out' }
          : null,
      )
      onLoad({ filter: new RegExp(`^${library}$`), namespace: 'left-out' }, () => ({
        contents: `const refuse = () => { throw new Error(${refusal}) }\n${contents}`,
        loader: 'js',
      }))
    },
  }
}

/** Shares of the bundle by where they come from: bytes by package, and by folder of ours, the largest first. */
export function shares({ outputs }: Metafile): readonly (readonly [string, number])[] {
  const bytes = new Map<string, number>()
  for (const { inputs } of Object.values(outputs)) {
    for (const [file, { bytesInOutput }] of Object.entries(inputs)) {
      const name = /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(file)?.[1] ?? file.split('/')[0]!
      bytes.set(name, (bytes.get(name) ?? 0) + bytesInOutput)
    }
  }
  return [...bytes].sort(([, a], [, b]) => b - a)
}

/*
 * `bundle-libraries.js FOLDER`: writes the libraries of quick-imports.js into one file each, which export what the
 * library does. Does nothing where esbuild is not installed. Started by quick-imports.js.
 */
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { bundleName, LIBRARIES } from './quick-imports.js'

const [, , folder] = process.argv
const root = fileURLToPath(new URL('../', import.meta.url))
/** Code before each bundle: what is bundled may still `require` parts of Node, which a module has no word for. */
const REQUIRE =
  "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);"

await writeBundles(await entries())

/** Name of the file to write → a module that passes on what the library exports. */
async function entries() {
  const found = {}
  for (const library of LIBRARIES) {
    // Where a library is CommonJS, only Node can say what it exports.
    const names = Object.keys(await import(library)).filter((name) =>
      /^[A-Za-z_$][\w$]*$/.test(name),
    )
    found[bundleName(library)] = `export { ${names.join(', ')} } from '${library}'`
  }
  return found
}

async function writeBundles(modules) {
  const esbuild = createRequire(import.meta.url)('esbuild')
  await esbuild.build({
    absWorkingDir: root,
    entryPoints: Object.keys(modules).map((name) => ({
      in: name,
      out: name.replace(/\.mjs$/, ''),
    })),
    outdir: folder,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    splitting: true,
    platform: 'node',
    format: 'esm',
    target: `node${process.versions.node}`,
    minifySyntax: true,
    minifyWhitespace: true,
    keepNames: true,
    banner: { js: REQUIRE },
    logLevel: 'silent',
    plugins: [virtual(modules)],
  })
}

/** Entries that are no files on disk. */
function virtual(modules) {
  return {
    name: 'entries',
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /\.mjs$/ }, ({ path, kind }) =>
        kind === 'entry-point' ? { path, namespace: 'entry' } : undefined,
      )
      onLoad({ filter: /.*/, namespace: 'entry' }, ({ path }) => ({
        contents: modules[path],
        resolveDir: root,
        loader: 'js',
      }))
    },
  }
}

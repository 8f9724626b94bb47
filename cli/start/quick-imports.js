/*
 * Makes a start from a checkout cheap: Node looks at the disk four times for each of some 500 files of ours before
 * it reads it, and libraries consist of hundreds of files more. JavaScript, because it comes before all else.
 */
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs'
import { registerHooks } from 'node:module'
import { basename, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { FOLDERS, strippedSources } from './stripped-sources.js'

const ROOT = new URL('../../', import.meta.url).href
const CACHE = fileURLToPath(new URL('node_modules/.cache/svc/', ROOT))
const BUNDLER = fileURLToPath(new URL('bundle-libraries.js', import.meta.url))
/** Where files of the program are. */
const OWN = FOLDERS.map((folder) => `${ROOT}${folder}/`)
/** Bundling takes a second; a machine on which it hangs starts without. */
const MOST_BUNDLING_MS = 60000
/** Bundles of other versions that are older than this many ms are removed. */
const KEPT_FOR = 30 * 24 * 60 * 60 * 1000

/** Libraries that every start loads, of which each has many files. */
export const LIBRARIES = [
  'kysely',
  'express',
  'pino',
  'commander',
  'compression',
  'helmet',
  'p-queue',
  '@marcbachmann/cel-js',
]

/** The file of a library in the folder of bundles. */
export function bundleName(library) {
  return `${library.replace(/\W/g, '_')}.mjs`
}

/**
 * Resolves the import of one file of ours by another (`./x.ts`) without a look at the disk from now on, and libraries
 * as one file each, and gives Node our files without their types. The first start after an installation makes those, where
 * esbuild is installed, and the first after a change these; without them everything works the same, a tenth of a second later.
 */
export function quickenImports() {
  const libraries = bundledLibraries()
  const sources = quietly(strippedSources(CACHE))
  registerHooks({
    resolve(specifier, context, next) {
      const known = libraries.get(specifier)
      if (known !== undefined) return known
      return ownFile(specifier, context.parentURL) || next(specifier, context)
    },
    load(url, context, next) {
      const isOurs =
        context.format === 'module-typescript' && OWN.some((own) => url.startsWith(own))
      const source = isOurs ? sources(fileURLToPath(url)) : undefined
      if (source === undefined) return next(url, context)
      return { format: 'module', source, shortCircuit: true }
    },
  })
}

/** What cannot be read or written there is Node's to do, or to tell of. */
function quietly(read) {
  return (path) => {
    try {
      return read(path)
    } catch (error) {
      if (error.code === undefined) throw error
      return undefined
    }
  }
}

/** A TypeScript file of ours that another one imports; undefined for all else. */
function ownFile(specifier, parent) {
  if (parent === undefined || !specifier.startsWith('.') || !specifier.endsWith('.ts'))
    return undefined
  if (!parent.startsWith(ROOT) || parent.includes('/node_modules/')) return undefined
  return {
    url: new URL(specifier, parent).href,
    format: 'module-typescript',
    shortCircuit: true,
  }
}

/** Modules that bundled libraries are resolved to, by the name of the library. */
function bundledLibraries() {
  const found = new Map()
  try {
    const folder = join(CACHE, `libraries-${keyOfLibraries()}`)
    if (!existsSync(folder)) bundle(folder)
    for (const library of LIBRARIES) {
      const file = join(folder, bundleName(library))
      if (!existsSync(file)) continue
      const url = pathToFileURL(file).href
      found.set(library, { url, format: 'module', shortCircuit: true })
    }
  } catch (error) {
    // A folder that cannot be written, or none at all: the libraries are loaded as they are.
    if (error.code === undefined) throw error
  }
  return found
}

/** Digest of what the bundles follow from: the versions that are installed, and who makes them. */
function keyOfLibraries() {
  const installed = statSync(join(CACHE, '../../.package-lock.json'))
  return createHash('sha256')
    .update(`${process.versions.node} ${installed.size} ${installed.mtimeMs}`)
    .update(readFileSync(new URL('package.json', ROOT)))
    .update(readFileSync(BUNDLER))
    .digest('hex')
    .slice(0, 16)
}

/** Makes the folder of bundles; an empty one where that fails, so that it is not tried again at each start. */
function bundle(folder) {
  const made = `${folder}.${process.pid}`
  mkdirSync(made, { recursive: true })
  spawnSync(process.execPath, [BUNDLER, made], { stdio: 'ignore', timeout: MOST_BUNDLING_MS })
  try {
    renameSync(made, folder)
  } catch (error) {
    // Another process was faster, and made the same.
    rmSync(made, { recursive: true, force: true })
    if (!existsSync(folder)) throw error
  }
  removeOld(basename(folder))
}

/** Removes old bundles, but not what was made just now, however far the clock of the disk is from ours. */
function removeOld(made) {
  for (const name of readdirSync(CACHE)) {
    if (!name.startsWith('libraries-') || name === made) continue
    const path = join(CACHE, name)
    const { mtimeMs } = statSync(path, { throwIfNoEntry: false }) || { mtimeMs: 0 }
    if (mtimeMs < Date.now() - KEPT_FOR) rmSync(path, { recursive: true, force: true })
  }
}

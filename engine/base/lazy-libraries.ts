import { createRequire } from 'node:module'

/*
 * Libraries that a start can do without. Each costs some 20 to 50 ms of CPU to load, a good part of a start,
 * so it is loaded by the first caller. `createRequire`, because those callers cannot wait for an import.
 */
const load = createRequire(import.meta.url)

/** Keeps a library, for Node looks for its file again each time it is asked for one. */
function once<Library>(read: () => Library): () => Library {
  let library: Library | undefined
  return () => {
    library ??= read()
    return library
  }
}

/** The `yaml` package: shipped DocTypes are plain enough for our own reader. */
export const yamlLibrary = once(() => load('yaml') as typeof import('yaml'))

/** The `ajv` package: only writes are validated with it. */
export const ajvLibrary = once(() => load('ajv') as typeof import('ajv'))

/** The `csv-parse` package, for a text as a whole. */
export const csvLibrary = once(() => load('csv-parse/sync') as typeof import('csv-parse/sync'))

/** The `csv-parse` package, for a text that comes piece by piece. */
export const csvStreamLibrary = once(() => load('csv-parse') as typeof import('csv-parse'))

/** The `marked` package: pages of the manual are drawn when somebody reads them. */
export const markedLibrary = once(() => load('marked') as typeof import('marked'))

/** The `sanitize-html` package: most texts have no markup that would have to be cleaned. */
export const sanitizeLibrary = once(() => load('sanitize-html') as typeof import('sanitize-html'))

import { createRequire } from 'node:module'

/*
 * Libraries that a start can do without. Each costs some 20 to 50 ms of CPU to load, a good part of a start,
 * so it is loaded by the first caller. `createRequire`, because those callers cannot wait for an import.
 */
const load = createRequire(import.meta.url)

/** The `yaml` package: shipped DocTypes are plain enough for our own reader. */
export function yamlLibrary(): typeof import('yaml') {
  return load('yaml') as typeof import('yaml')
}

/** The `ajv` package: only writes are validated with it. */
export function ajvLibrary(): typeof import('ajv') {
  return load('ajv') as typeof import('ajv')
}

/** The `csv-parse` package, for a text as a whole. */
export function csvLibrary(): typeof import('csv-parse/sync') {
  return load('csv-parse/sync') as typeof import('csv-parse/sync')
}

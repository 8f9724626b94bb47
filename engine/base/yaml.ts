import { createRequire } from 'node:module'

const load = createRequire(import.meta.url)

/**
 * The `yaml` package, loaded when it is first asked for: shipped DocTypes are plain enough for our own
 * reader, and a start that needs no library saves a tenth of its CPU time.
 */
export function yamlLibrary(): typeof import('yaml') {
  return load('yaml') as typeof import('yaml')
}

import { fileURLToPath } from 'node:url'

/** A check of the whole project that is no test file. */
export interface Check {
  readonly name: string
  readonly args: readonly string[]
}

/** Formatter and linter, types, unused code and packages; each is a script for `process.execPath`. */
export const PROJECT_CHECKS: readonly Check[] = [
  {
    name: 'biome ci .',
    args: [installed('@biomejs/biome/bin/biome'), 'ci', '--colors=off', '--error-on-warnings', '.'],
  },
  {
    name: 'tsc --noEmit',
    args: [installed('typescript/bin/tsc'), '--noEmit', '--pretty', 'false'],
  },
  {
    name: 'tsc --noEmit -p desk',
    args: [installed('typescript/bin/tsc'), '--noEmit', '--pretty', 'false', '-p', 'desk'],
  },
  { name: 'knip', args: [installed('knip/bin/knip.js'), '--no-progress'] },
]

/** What explores beside the test files of a deep run: guards taken away one by one, servers killed under load. */
export const DEEP_CHECKS: readonly Check[] = [
  { name: 'mutate', args: [ours('../mutation/main.ts'), '--jobs', '1'] },
  { name: 'soak', args: [ours('../soak/main.ts')] },
]

function ours(path: string): string {
  return fileURLToPath(new URL(path, import.meta.url))
}

function installed(path: string): string {
  return fileURLToPath(new URL(`../../node_modules/${path}`, import.meta.url))
}

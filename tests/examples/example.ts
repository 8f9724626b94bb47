import { execFile } from 'node:child_process'
import { chmodSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { delimiter, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { withoutSettings } from '../cli/process.ts'

const ROOT = resolve(import.meta.dirname, '../..')
export const EXAMPLES = join(ROOT, 'docs/examples')

const run = promisify(execFile)

/** The fenced blocks of one language in the README of an example, in order. */
export function blocksOf(example: string, language: string): string[] {
  const readme = readFileSync(join(EXAMPLES, example, 'README.md'), 'utf8')
  return [...readme.matchAll(/```(\w*)\n([\s\S]*?)```/g)]
    .filter(([, found]) => found === language)
    .map(([, , text = '']) => text)
}

/** Runs blocks one after the other, as somebody who reads along does; answers what each printed. */
export type Shell = (
  blocks: readonly string[],
  variables?: Readonly<Record<string, string>>,
) => Promise<string[]>

/**
 * A shell in a folder, where `svc` is this checkout's, `node` the Node of the tests and `tsc` the project's
 * own, also by `npx`. `npm` knows only `run`, without npm's start, and `install`, which does nothing: all is
 * installed.
 */
export function shellIn(folder: string, home: string): Shell {
  const bin = join(home, 'bin')
  mkdirSync(bin, { recursive: true })
  const programs = {
    svc: `exec "${process.execPath}" "${join(ROOT, 'cli/svc.js')}" "$@"`,
    npx: 'exec "$@"',
    node: `exec "${process.execPath}" "$@"`,
    npm: `[ "$1" = install ] && exit
for name; do :; done
eval "$(node -p "require('./package.json').scripts['$name']")"`,
  }
  for (const [name, text] of Object.entries(programs)) {
    writeFileSync(join(bin, name), `#!/bin/sh\n${text}\n`)
    chmodSync(join(bin, name), 0o755)
  }
  const path = [
    bin,
    join(ROOT, 'node_modules/.bin'),
    join(EXAMPLES, 'typescript-client/node_modules/.bin'),
    process.env.PATH,
  ].join(delimiter)
  return async (blocks, variables = {}) => {
    const script = ['set -e', ...blocks].join('\necho; echo ----\n')
    const env = { ...withoutSettings(process.env), ...variables, PATH: path }
    const { stdout } = await run('bash', ['-c', script], { cwd: folder, env }).catch(
      ({ code, stdout, stderr }) => {
        throw new Error(`expected exit code 0, got ${code}:\n${stdout}\n${stderr}`)
      },
    )
    const [, ...answers] = stdout.split('----').map((text) => text.trim())
    return answers
  }
}

/** Makes the packages of the project found from a folder, as after `npm install`. */
export function withPackages(folder: string): void {
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
}

/** The JSON values that a block printed one after the other. */
export function jsonIn(text: string): Record<string, unknown>[] {
  return text
    .split(/(?<=\})\s*(?=\{")/)
    .filter((part) => part.startsWith('{'))
    .map((part) => JSON.parse(part) as Record<string, unknown>)
}

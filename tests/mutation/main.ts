import { spawn } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import type { Edit, Mutation } from './guard.ts'
import { MUTATIONS } from './mutations.ts'

/**
 * Takes away one guard after the other and runs the tests that have to notice (`npm run mutate`). With parts of
 * paths or of descriptions as arguments, only the mutations they fit; `--jobs N` are tried at a time. Exit code 1
 * when a mutation survives, cannot be made, or breaks the program instead of a guard.
 */

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const PARTS = [
  'engine',
  'hooks',
  'webhooks',
  'server',
  'cli',
  'demo',
  'mcp',
  'doctypes',
  'docs/webhooks.md',
  'tests',
  'package.json',
]

/** What became of a mutation, or why it could not be asked. */
type Outcome = 'caught' | 'survived' | 'broken' | 'not found'

interface Run {
  readonly isGreen: boolean
  readonly output: string
}

const { values, positionals: wanted } = parseArgs({
  allowPositionals: true,
  options: { jobs: { type: 'string', default: '2' } },
})
const chosen = MUTATIONS.filter(
  ({ why, edits }) =>
    wanted.length === 0 ||
    wanted.some((text) => why.includes(text) || edits.some(({ file }) => file.includes(text))),
)
const folder = mkdtempSync(join(tmpdir(), 'svc-mutate-'))
try {
  process.exitCode = (await main()) ? 0 : 1
} finally {
  rmSync(folder, { recursive: true, force: true })
}

/** True when every mutation was caught. */
async function main(): Promise<boolean> {
  const copies = Array.from({ length: Number(values.jobs) }, (_, index) =>
    copyTo(join(folder, String(index))),
  )
  for (const file of new Set(chosen.flatMap(({ tests }) => tests))) {
    const { isGreen, output } = await runTest(copies[0]!, file)
    if (isGreen) continue
    console.log(`${file} fails with every guard in its place:\n${output}`)
    return false
  }
  const waiting = [...chosen]
  const others: string[] = []
  let done = 0
  await Promise.all(
    copies.map(async (copy) => {
      for (let next = waiting.shift(); next; next = waiting.shift()) {
        const outcome = await tried(copy, next)
        done++
        const line = `${outcome}: ${next.why} (${next.edits.at(-1)!.file})`
        console.log(`${done}/${chosen.length} ${line}`)
        if (outcome !== 'caught') others.push(line)
      }
    }),
  )
  console.log(`${done - others.length} of ${done} caught`)
  for (const line of others) console.log(line)
  return others.length === 0 && done > 0
}

function copyTo(copy: string): string {
  for (const part of PARTS) cpSync(join(ROOT, part), join(copy, part), { recursive: true })
  symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'))
  return copy
}

async function tried(copy: string, { edits, tests }: Mutation): Promise<Outcome> {
  if (!edits.every(standsOnce)) return 'not found'
  try {
    for (const edit of edits) change(copy, edit)
    for (const file of tests) {
      const { isGreen, output } = await runTest(copy, file)
      // A file that does not even load says nothing about the guard.
      if (/SyntaxError|ReferenceError|printed no summary/.test(output)) return 'broken'
      if (!isGreen) return 'caught'
    }
    return 'survived'
  } finally {
    for (const { file } of edits) cpSync(join(ROOT, file), join(copy, file))
  }
}

function standsOnce({ file, find }: Edit): boolean {
  return readFileSync(join(ROOT, file), 'utf8').split(find).length === 2
}

function change(copy: string, { file, find, replace }: Edit): void {
  const path = join(copy, file)
  writeFileSync(
    path,
    readFileSync(path, 'utf8').replace(find, () => replace),
  )
}

function runTest(copy: string, file: string): Promise<Run> {
  const args = ['tests/run.js', '--no-checks', '--no-database', '--jobs', '1', file]
  return new Promise((resolve, reject) => {
    const run = spawn(process.execPath, args, { cwd: copy })
    let output = ''
    for (const stream of [run.stdout, run.stderr])
      stream.on('data', (data) => {
        output += String(data)
      })
    run.on('error', reject)
    run.on('close', (code) => resolve({ isGreen: code === 0, output }))
  })
}

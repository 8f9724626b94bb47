import { execFileSync, spawnSync } from 'node:child_process'
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'

const ROOT = join(import.meta.dirname, '../..')

const quick = suite('imports of a checkout')
let folder = ''

/** A checkout of its own: the launcher, one file of the program, and the installed libraries. */
quick.before.each(() => {
  folder = mkdtempSync(join(tmpdir(), 'svc-quick-'))
  for (const name of [
    'cli/start/node-guard.js',
    'cli/start/quick-imports.js',
    'cli/start/bundle-libraries.js',
    'cli/start/stripped-sources.js',
    'cli/start/strip-sources.js',
    'package.json',
  ])
    cpSync(join(ROOT, name), join(folder, name))
  mkdirSync(join(folder, 'node_modules'))
  for (const name of readdirSync(join(ROOT, 'node_modules'), { withFileTypes: true }).map(
    ({ name }) => name,
  ))
    if (name !== '.cache')
      symlinkSync(join(ROOT, 'node_modules', name), join(folder, 'node_modules', name))
  writeFileSync(
    join(folder, 'cli/main.ts'),
    `import { sql, CompiledQuery } from 'kysely'
     import express, { Router } from 'express'
     import { pino } from 'pino'
     import { name } from './other.ts'
     const loaded: string = import.meta.resolve('kysely')
     const answer = [typeof sql, typeof CompiledQuery.raw, typeof express().get, typeof Router, typeof pino, name]
     console.log(JSON.stringify({ answer, isBundled: loaded.includes('/.cache/svc/libraries-') }))`,
  )
  writeFileSync(join(folder, 'cli/other.ts'), `export const name: string = 'other'\n`)
  writeFileSync(
    join(folder, 'cli/svc.js'),
    `import { runOnNode24 } from './start/node-guard.js'\nrunOnNode24(() => import('./main.ts'))\n`,
  )
})
quick.after.each(() => rmSync(folder, { recursive: true }))

const start = (): { answer: string[]; isBundled: boolean } =>
  JSON.parse(execFileSync(process.execPath, [join(folder, 'cli/svc.js')], { encoding: 'utf8' }))
const ANSWER = ['function', 'function', 'function', 'function', 'function', 'other']
const bundles = (): string[] =>
  readdirSync(join(folder, 'node_modules/.cache/svc')).filter((name) =>
    name.startsWith('libraries-'),
  )

quick('are bundled by the first start and taken from there by the next', () => {
  assert.equal(start(), { answer: ANSWER, isBundled: true })
  const made = bundles()
  assert.is(made.length, 1)
  assert.equal(start(), { answer: ANSWER, isBundled: true })
  assert.equal(bundles(), made)
})

quick(
  'are those of the libraries themselves where there is no esbuild, without another try',
  () => {
    rmSync(join(folder, 'node_modules/esbuild'))
    assert.equal(start(), { answer: ANSWER, isBundled: false })
    const [made] = bundles()
    assert.equal(readdirSync(join(folder, 'node_modules/.cache/svc', made!)), [])
    assert.equal(start(), { answer: ANSWER, isBundled: false })
  },
)

quick('are those of the libraries where nothing can be written', () => {
  writeFileSync(join(folder, 'node_modules/.cache'), 'no folder')
  assert.equal(start(), { answer: ANSWER, isBundled: false })
})

/** A file of the program that says what becomes of its text. */
function writeOther(text: string): void {
  writeFileSync(join(folder, 'cli/other.ts'), text)
}

function sourcesFile(): string {
  const [name, ...others] = readdirSync(join(folder, 'node_modules/.cache/svc')).filter((name) =>
    name.startsWith('sources-'),
  )
  assert.equal(others, [])
  return join(folder, 'node_modules/.cache/svc', name!)
}

const nameNow = (): string | undefined => start().answer.at(-1)

quick('of our own files are of what stands in them now, and stripped once', () => {
  writeOther("export const name: string = 'one  '\nexport interface A {\n  b: 1\n}\n")
  assert.is(nameNow(), 'one  ')
  const first = readFileSync(sourcesFile(), 'utf8')
  assert.match(first, /export const name {9}= 'one {2}'\n\n\n\n/)
  const { ino } = statSync(sourcesFile())
  assert.is(nameNow(), 'one  ')
  assert.is(statSync(sourcesFile()).ino, ino, 'nothing was written')

  writeOther("export const name: string = 'two'\n")
  assert.is(nameNow(), 'two')
  assert.is.not(statSync(sourcesFile()).ino, ino)
  writeOther(`export const name = \`blanks  \n  \${'stay' as string}  \n\` as string\n`)
  assert.is(nameNow(), 'blanks  \n  stay  \n')
})

quick('of our own files survive whatever becomes of what was stripped', () => {
  assert.is(nameNow(), 'other')
  const good = readFileSync(sourcesFile(), 'utf8')
  const damaged = ['', 'svc sources 1\n', good.slice(0, -20), good.replace("'other'", "'forge'")]
  assert.is(new Set([good, ...damaged]).size, 5)
  for (const text of damaged) {
    writeFileSync(sourcesFile(), text)
    assert.is(nameNow(), 'other')
  }
  rmSync(sourcesFile())
  assert.is(nameNow(), 'other')
})

quick('of a file that is no TypeScript are told by Node', () => {
  writeOther('export const name: = 1')
  const { status, stderr } = spawnSync(process.execPath, [join(folder, 'cli/svc.js')], {
    encoding: 'utf8',
  })
  assert.is.not(status, 0)
  assert.match(stderr, /other\.ts/)
  assert.match(stderr, /SyntaxError/)
  writeOther("export const name: string = 'well'\n")
  assert.is(nameNow(), 'well')
})

quick('tell a file that is not there', () => {
  rmSync(join(folder, 'cli/other.ts'))
  const { status, stderr } = spawnSync(process.execPath, [join(folder, 'cli/svc.js')], {
    encoding: 'utf8',
  })
  assert.is.not(status, 0)
  assert.match(stderr, 'other.ts')
})

quick.run()

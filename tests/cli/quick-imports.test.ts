import { execFileSync, spawnSync } from 'node:child_process'
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
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

quick('tell a file that is not there', () => {
  rmSync(join(folder, 'cli/other.ts'))
  const { status, stderr } = spawnSync(process.execPath, [join(folder, 'cli/svc.js')], {
    encoding: 'utf8',
  })
  assert.is.not(status, 0)
  assert.match(stderr, 'other.ts')
})

quick.run()

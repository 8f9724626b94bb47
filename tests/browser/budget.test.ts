import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { deskSize, overBudget } from '../../build/desk-budget.ts'
import { temporaryFolder } from '../cli/process.ts'

const test = suite('what the Desk may weigh')

test('the built Desk keeps within its budgets', () => {
  const size = deskSize(fileURLToPath(new URL('../../dist/desk', import.meta.url)))
  assert.equal(overBudget(size), [])
  assert.ok(size.script > 50_000 && size.style > 5_000 && size.part > 1_000 && size.font > 10_000)
})

test('what the first script imports counts with it, what is loaded later does not, and too much is named', () => {
  const { path, remove } = temporaryFolder()
  mkdirSync(join(path, 'a'))
  const write = (name: string, text: string, bytes: number): void => {
    writeFileSync(join(path, name), text)
    writeFileSync(join(path, `${name}.gz`), Buffer.alloc(bytes))
  }
  write('index.html', '<script src="/a/one.js"></script>', 10)
  write('a/one.js', 'import{x}from"./two.js";import("./later.js")', 1_024)
  write('a/two.js', 'export const x=1', 150 * 1_024)
  write('a/later.js', '', 41 * 1_024)
  write('a/look.css', '', 100)
  assert.equal(overBudget(deskSize(path)), [
    'script: expected at most 150 KB, got 151.0 KB',
    'part: expected at most 40 KB, got 41.0 KB',
  ])
  remove()
})

test.run()

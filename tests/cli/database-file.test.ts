import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { makeDatabaseFile } from '../../cli/database-file.ts'

const TEMPLATE = Buffer.from('tables of shipped DocTypes')

const making = suite('the database file of a new workspace')
let folder = ''
let file = ''
making.before.each(() => {
  folder = mkdtempSync(join(tmpdir(), 'svc-file-'))
  file = join(folder, 'workspace.db')
})
making.after.each(() => rmSync(folder, { recursive: true }))

const made = (template?: Buffer): string => {
  makeDatabaseFile(file, () => template)
  return readFileSync(file, 'utf8')
}

making('is what the program carries, whole, for its owner alone', () => {
  assert.is(made(TEMPLATE), String(TEMPLATE))
  assert.equal(readdirSync(folder), ['workspace.db'])
  if (process.platform !== 'win32') assert.is(statSync(file).mode & 0o777, 0o600)
})

making('is empty where the program carries none', () => {
  assert.is(made(), '')
})

making('stays what it is where there is one', () => {
  writeFileSync(file, 'mine')
  assert.is(made(TEMPLATE), 'mine')
})

for (const left of ['wal', 'journal'])
  making(`is empty beside the ${left} of one that is gone, which SQLite removes then`, () => {
    writeFileSync(`${file}-${left}`, 'old')
    assert.is(made(TEMPLATE), '')
  })

making.run()

import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { fileProblem } from '../../../engine/base/file-error.ts'

const test = suite('what is wrong with a file')

test('is told in words, never by the call of the system', () => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-files-'))
  const file = join(folder, 'there')
  writeFileSync(file, '')
  try {
    assert.is(
      problemOf(() => readFileSync(join(folder, 'none'))),
      'there is no such file or folder',
    )
    assert.is(
      problemOf(() => readFileSync(folder)),
      'it is a folder, expected a file',
    )
    assert.is(
      problemOf(() => readdirSync(join(file, 'below'))),
      'a part of its path is a file, expected a folder',
    )
    assert.is(
      problemOf(() => writeFileSync(file, '', { flag: 'wx' })),
      'it is there already',
    )
  } finally {
    rmSync(folder, { recursive: true })
  }
})

test('is the message of any other error', () => {
  assert.is(fileProblem(new Error('the row is too long')), 'the row is too long')
  assert.is(fileProblem(Object.assign(new Error('no'), { code: 'ENOENT' })), 'no')
})

function problemOf(job: () => unknown): string {
  try {
    job()
  } catch (error) {
    return fileProblem(error)
  }
  return 'nothing'
}

test.run()

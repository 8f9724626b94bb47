import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { BINARY_FOLDER, filesOver } from '../../../engine/base/packaged-files.ts'

const test = suite('files that come with the program')

const CARRIED = new Map([
  ['package.json', '{}'],
  ['doctypes/crm/lead.yaml', 'doctype: Lead'],
  ['doctypes/crm/customer.yaml', 'doctype: Customer'],
  ['doctypes/roles.yaml', ''],
])

const files = filesOver({
  names: () => [...CARRIED.keys()],
  bytes: (name) => new TextEncoder().encode(CARRIED.get(name)).buffer,
})
const inBinary = (path: string): string => join(BINARY_FOLDER, path)

test('are read by the path they have in the binary', () => {
  assert.is(files.bytes(inBinary('doctypes/crm/lead.yaml')).toString(), 'doctype: Lead')
  assert.is(files.size(inBinary('doctypes/crm/lead.yaml')), 13)
  assert.is(files.size(inBinary('doctypes/roles.yaml')), 0)
})

test('stand in folders', () => {
  const namesIn = (folder: string) =>
    files
      .list(folder)
      .map(({ name, isFolder }) => (isFolder ? `${name}/` : name))
      .sort()
  assert.equal(namesIn(BINARY_FOLDER), ['doctypes/', 'package.json'])
  assert.equal(namesIn(inBinary('doctypes')), ['crm/', 'roles.yaml'])
  assert.equal(namesIn(inBinary('doctypes/crm')), ['customer.yaml', 'lead.yaml'])
})

test('are there or not, as on a disk', () => {
  for (const path of ['doctypes', 'doctypes/crm', 'doctypes/crm/lead.yaml', 'package.json'])
    assert.is(files.exists(inBinary(path)), true, path)
  for (const path of ['doctype', 'doctypes/crm/lead', 'crm', 'lead.yaml', 'package.json/x'])
    assert.is(files.exists(inBinary(path)), false, path)
  for (const read of [files.bytes, files.size, files.list])
    assert.throws(
      () => read(inBinary('nothing')),
      (error: unknown) =>
        error instanceof Error && (error as NodeJS.ErrnoException).code === 'ENOENT',
    )
  assert.throws(() => files.bytes(inBinary('doctypes')), /no svc:.doctypes/)
})

test('hide nothing on disk, not even where a name begins alike', () => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-packaged-'))
  try {
    writeFileSync(join(folder, 'svc:own'), 'mine')
    assert.is(files.bytes(join(folder, 'svc:own')).toString(), 'mine')
    assert.equal(files.list(folder), [{ name: 'svc:own', isFolder: false }])
    assert.is(files.exists(join(folder, 'doctypes/roles.yaml')), false)
    assert.throws(() => files.bytes(`${BINARY_FOLDER}own`), /ENOENT/)
  } finally {
    rmSync(folder, { recursive: true })
  }
})

test.run()

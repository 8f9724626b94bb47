import { cpSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Test } from 'uvu'
import * as assert from 'uvu/assert'
import { prepareStarted } from '../helpers/prepared-start.ts'
import { runHere } from './in-process.ts'
import { type Finished, temporaryFolder } from './process.ts'

/** A record as an export of JSON has it. */
export type Exported = Readonly<Record<string, unknown>>

/** A workspace that each test of a suite has to itself. */
export interface ImportPlace {
  /** Its data folder. */
  readonly data: string
  /** A file of this text; names begin anew with each test. */
  file(name: string, text: string | Buffer): string
  /** `svc import` with these arguments. */
  run(...args: string[]): Promise<Finished>
  exported(resource: string, ...args: string[]): Promise<Exported[]>
  /** Of each record these fields, of their rows all but `row_id`. */
  values(resource: string, ...fields: string[]): Promise<unknown[][]>
}

/** Makes a workspace with these DocTypes, by name of file, before the suite, and a copy of it before each test. */
export function importPlace(suite: Test, doctypes: Readonly<Record<string, string>>): ImportPlace {
  const folder = temporaryFolder()
  const fresh = join(folder.path, 'fresh')
  const data = join(folder.path, 'data')

  suite.before(async () => {
    await prepareStarted(data)
    const own = join(data, 'doctypes')
    mkdirSync(own, { recursive: true })
    for (const [name, text] of Object.entries(doctypes)) writeFileSync(join(own, name), text)
    const { code, stderr } = await runHere(['migrate', '--data', data])
    assert.is(code, 0, stderr)
    // Migrated where it is used: what was checked of its DocTypes holds for their paths.
    renameSync(data, fresh)
  })
  suite.after(() => folder.remove())
  suite.before.each(() => {
    rmSync(data, { recursive: true, force: true })
    cpSync(fresh, data, { recursive: true })
  })

  async function exported(resource: string, ...args: string[]): Promise<Exported[]> {
    const out = join(data, 'exported.json')
    const done = await runHere(['export', resource, '--out', out, '--data', data, ...args])
    assert.is(done.code, 0, done.stderr)
    return JSON.parse(readFileSync(out, 'utf8')) as Exported[]
  }

  return {
    data,
    file(name, text) {
      const path = join(data, name)
      writeFileSync(path, text)
      return path
    },
    run: (...args) => runHere(['import', ...args, '--data', data]),
    exported,
    async values(resource, ...fields) {
      const plain = (value: unknown): unknown =>
        Array.isArray(value)
          ? value.map((row: Exported) =>
              Object.entries(row).flatMap(([key, one]) => (key === 'row_id' ? [] : [one])),
            )
          : value
      return (await exported(resource)).map((record) => fields.map((field) => plain(record[field])))
    },
  }
}

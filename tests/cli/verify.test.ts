import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { openDatabase } from '../../engine/index.ts'
import type { Db } from '../../engine/storage/database/database.ts'
import { runSql } from '../../engine/storage/database/statements.ts'
import { forEachDatabaseWhenDeep, type TestDatabase } from '../helpers/databases.ts'
import { prepareData } from '../helpers/prepared.ts'
import { runHere } from './in-process.ts'
import { type Folder, temporaryFolder } from './process.ts'

const DOCTYPES = {
  'jar.yaml': `
doctype: Jar
module: setup
tier: free
naming: prompt
fields:
  coins: {type: currency, rollup: {from: Coin, match: jar, sum: worth}}
  is_full: {type: check, formula: coins >= 1}
`,
  'coin.yaml': `
doctype: Coin
module: setup
tier: free
naming: prompt
fields:
  jar: {type: link, options: Jar}
  worth: {type: currency}
`,
}

forEachDatabaseWhenDeep('svc verify', ({ test, create, kind }) => {
  let folder: Folder
  let where: readonly string[]
  let database: TestDatabase

  // A workspace with a jar that does not know of its coins.
  test.before(async () => {
    folder = temporaryFolder()
    const data = join(folder.path, 'data')
    mkdirSync(join(data, 'doctypes'), { recursive: true })
    for (const [name, text] of Object.entries(DOCTYPES))
      writeFileSync(join(data, 'doctypes', name), text.trimStart())
    const created = await create()
    database = kind === 'sqlite' ? { kind: 'sqlite', file: join(data, 'workspace.db') } : created
    await prepareData(data, database)
    where = ['--data', data, ...(created.kind === 'postgres' ? ['--database', created.url] : [])]
    assert.is((await runHere(['migrate', ...where])).code, 0)
    const now = `'2026-03-09T12:00:00.000Z'`
    const standard = `owner, created, modified, modified_by`
    const values = `'Ann', ${now}, ${now}, 'Ann'`
    await inDatabase(async (db) => {
      await runSql(
        db,
        `insert into jars (name, ${standard}, coins, is_full) values ('Blue', ${values}, 5000, 0)`,
        [],
      )
      for (const [name, worth] of [
        ['one', 10_000],
        ['two', 2_500],
      ])
        await runSql(
          db,
          `insert into coins (name, ${standard}, jar, worth) values ('${name}', ${values}, 'Blue', ${worth})`,
          [],
        )
    })
  })
  test.after(() => folder.remove())

  async function inDatabase<T>(job: (db: Db) => Promise<T>): Promise<T> {
    const opened = await openDatabase(database)
    try {
      return await opened.write(job)
    } finally {
      await opened.close()
    }
  }

  const verify = (...args: string[]) =>
    runHere(['verify', ...where, ...args], {
      SVC_SECRET_KEY: Buffer.alloc(32, 7).toString('base64'),
    })

  test('prints only what is wrong, names each difference and exits with 1', async () => {
    const { code, stdout, stderr } = await verify()
    assert.is(code, 1)
    const [heading = '', row = '', ...rest] = stdout.split('\n')
    assert.match(heading, /^CHECK {2,}OF {2,}RESULT$/)
    assert.match(row, /^rollup {2,}Jar\.coins {2,}1 difference$/)
    assert.match(
      rest.join('\n'),
      /^\ndifferences:\n {2}Jar Blue coins: is 0\.5, expected 1\.25\n\d+ checks, 1 not ok\nbooks proven at .+, 1 difference\n$/,
    )
    assert.is(stderr, 'svc: 1 difference, see above\n')
  })

  test('prints every check with --all', async () => {
    const { code, stdout } = await verify('--all')
    assert.is(code, 1)
    assert.match(stdout, /^rollup {2,}Jar\.coins {2,}1 difference$/m)
    assert.match(stdout, /^computed {2,}Jar: formulas and status {2,}ok$/m)
    const [, checks] = /\n(\d+) checks, 1 not ok\n/.exec(stdout) ?? []
    const listed = stdout.split('\n').filter((line) => / {2}(ok|1 difference)$/.test(line))
    assert.is(listed.length, Number(checks))
  })

  test('prints the same as JSON', async () => {
    const { code, stdout } = await verify('--json')
    assert.is(code, 1)
    const { checks, stale, warnings, repaired } = JSON.parse(stdout)
    assert.equal(
      checks.find(({ name }: { name: string }) => name === 'Jar.coins'),
      {
        kind: 'rollup',
        name: 'Jar.coins',
        differences: 1,
        found: [{ doctype: 'Jar', id: 'Blue', field: 'coins', stored: 0.5, expected: 1.25 }],
      },
    )
    assert.equal([stale, warnings, repaired], [[], [], undefined])
  })

  test('makes the checks that --only names, and looks at what was written --since', async () => {
    const jars = await verify('--only', 'Jar', '--only', 'rollup')
    assert.equal([jars.code, /\n1 check, 1 not ok\n$/.test(jars.stdout)], [1, true], jars.stdout)
    const none = await verify('--since', '2099-01-01')
    assert.is(none.code, 1, 'the log has nothing older, so everything is looked at')
    const wrong = [
      ['--only', 'Jr'],
      ['--since', 'noon'],
      ['--since', '7', '--repair'],
    ]
    const said = []
    for (const flags of wrong) said.push(await verify(...flags))
    assert.equal(
      said.map(({ code }) => code),
      [1, 2, 2],
    )
    assert.match(said[0]!.stderr, /did you mean "Jar"\?/)
    assert.match(said[1]!.stderr, /expected last, a date such as/)
  })

  test('repairs, says what, and exits with 0', async () => {
    const repaired = await verify('--repair', '--yes')
    assert.is(repaired.code, 0, repaired.stderr)
    const proven = String.raw`\d+ checks, all ok\nbooks proven at [-\d]+ [:\d]+, \d+ documents, 0 differences\n$`
    assert.match(
      repaired.stdout,
      new RegExp(`^repaired 1 rollup value and 1 record, made 0 records\n${proven}`),
    )
    const again = await verify()
    assert.is(again.code, 0)
    assert.match(again.stdout, new RegExp(`^${proven}`))
    assert.equal(
      await inDatabase((db) => runSql(db, 'select coins, is_full, version from jars', [])),
      [{ coins: 12_500n, is_full: 1n, version: 2n }],
    )
  })
})

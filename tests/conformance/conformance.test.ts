import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { forEachDatabaseWhenDeep } from '../helpers/databases.ts'
import { readCases } from './case.ts'
import { type Kit, openKit } from './kit.ts'
import { conformancePage } from './page.ts'

const PAGE = join(import.meta.dirname, '../../docs/conformance.md')
const CASES = readCases()

const page = suite('docs/conformance.md')

page('is made of the cases; SVC_WRITE_PAGES=1 writes it', () => {
  const made = conformancePage(CASES)
  if (process.env.SVC_WRITE_PAGES === '1') writeFileSync(PAGE, made)
  assert.is(readFileSync(PAGE, 'utf8'), made)
})

page('counts at least 120 cases over 20 kinds of documents', () => {
  const kinds = new Set(CASES.flatMap((one) => one.kinds))
  kinds.delete('methods')
  assert.ok(CASES.length >= 120 && kinds.size >= 20, `${CASES.length} over ${kinds.size}`)
})

page.run()

/** Documents as clients of ERPNext send them, and what ERPNext makes of them (docs/conformance.md). */
forEachDatabaseWhenDeep('conformance with ERPNext', ({ test, create }) => {
  let kit: Kit
  test.before(async () => {
    kit = await openKit(await create())
  })
  test.after(() => kit.close())

  for (const one of CASES)
    test(`${one.name}: ${one.title}`, async () => {
      if (one.differs === undefined) {
        await kit.run(one)
        return
      }
      const failed = await kit.run(one).then(
        () => undefined,
        (error: unknown) => error,
      )
      assert.ok(failed, `it comes out as in ERPNext: take "differs" out of ${one.name}.yaml`)
    })
})

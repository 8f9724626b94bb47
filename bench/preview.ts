import { SYSTEM_ACTOR } from '../engine/access/actor.ts'
import { createDocument } from '../engine/documents/operations/create.ts'
import { previewOperation } from '../engine/documents/operations/rehearse.ts'
import { submitDocument } from '../engine/documents/operations/submit.ts'
import type { Context } from '../engine/documents/work/context.ts'
import { furnish, invoiceBody, openShipped } from './invoice-sides.ts'
import { median } from './load.ts'
import { printTable, type Verdict } from './verdict.ts'
import { createWorkspace, inFolder } from './workspace.ts'

const ROWS = 20
const WARM_UP = 40
const TIMES = 100

/** Time of a preview that is allowed, of that of the operation itself (contract §7.2). */
const MOST_RATIO = 2

/**
 * Previews of an invoice of 20 rows beside its create and its submit, one by one and in turns, by CPU time of this process: a commit at
 * FULL durability would wait for the disk, which a preview does not.
 */
export function measurePreview(): Promise<Verdict[]> {
  return inFolder(async (parent) => {
    const { databaseFile } = createWorkspace(parent)
    const engine = await openShipped({ kind: 'sqlite', file: databaseFile, durability: 'normal' })
    const [customer = ''] = await furnish(engine)
    const context = engine.context(SYSTEM_ACTOR, await engine.tier())
    const { registry } = engine.services
    const definition = registry.bySlug('sales-invoices')!
    const { items, ...rest } = invoiceBody(1, [customer]) as { items: readonly object[] }
    const rows = Array.from({ length: ROWS }, (_, at) => items[at % items.length])
    const body = { ...rest, items: rows }
    const create = (as: Context) => createDocument(as, definition, body)
    const spent = {
      create: [] as number[],
      preview: [] as number[],
      submit: [] as number[],
      trySubmit: [] as number[],
    }
    for (let at = 0; at < WARM_UP + TIMES; at += 1) {
      const previewed = await cpuOf(() =>
        previewOperation(context, { definition, body, run: create }),
      )
      let id = ''
      const created = await cpuOf(async () => {
        id = (await create(context)).id
      })
      const submit = (as: Context) => submitDocument(as, definition, id)
      const tried = await cpuOf(() => previewOperation(context, { definition, id, run: submit }))
      const submitted = await cpuOf(() => submit(context))
      if (at < WARM_UP) continue
      spent.preview.push(previewed)
      spent.create.push(created)
      spent.trySubmit.push(tried)
      spent.submit.push(submitted)
    }
    await engine.close()
    const ms = (list: readonly number[]): string => `${median(list).toFixed(2)} ms`
    console.log(`\nAn invoice of ${ROWS} rows, medians of ${TIMES} by CPU`)
    printTable(
      ['', 'the operation', 'its preview'],
      [
        ['create', ms(spent.create), ms(spent.preview)],
        ['submit', ms(spent.submit), ms(spent.trySubmit)],
      ],
    )
    const share = median(spent.preview) / median(spent.create)
    return [
      {
        part: 'preview',
        what: `of an invoice of ${ROWS} rows`,
        measured: share.toFixed(2),
        wanted: `at most ${MOST_RATIO} times its create`,
        passed: share <= MOST_RATIO,
      },
    ]
  })
}

/** CPU time of a job, in ms. */
async function cpuOf(job: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage()
  await job()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}

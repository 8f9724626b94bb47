import type { DocTypeDefinition } from '../../definition/model/definition.ts'
import { assertMay, knownParts } from '../rights/door.ts'
import type { Context } from '../work/context.ts'
import { presentResult, type WireRecord } from '../work/present.ts'
import { runAction } from './act.ts'
import { createWithin } from './create.ts'
import { runOperation } from './operation.ts'

/** A record that was made and taken back, in the shape of GET. */
export interface Unsaved {
  readonly definition: DocTypeDefinition
  readonly record: WireRecord
}

/** Ends a transaction that was never to be kept. */
class TakenBack extends Error {}

/**
 * What an action would make, without making it: it runs whole, and its transaction is rolled back. Throws as
 * `runAction`, and 403 for records that the caller may not create.
 */
export async function madeByAction(
  context: Context,
  definition: DocTypeDefinition,
  id: string,
  name: string,
  body: unknown,
): Promise<readonly Unsaved[]> {
  const { registry, partsOf } = context.services
  let made: readonly Unsaved[] = []
  const trial: Context = {
    ...context,
    async beforeCommit(tx, result) {
      const created = (result?.record._created ?? []) as readonly { doctype: string; id: string }[]
      made = await Promise.all(
        created.map(async (one) => {
          const of = registry.byDoctype(one.doctype)!
          assertMay(context, of, 'create')
          const doc = await partsOf(of).store.whole(tx, one.id)
          const { presenter } = knownParts(context, partsOf(of))
          return { definition: of, record: presentResult(presenter, doc!).record }
        }),
      )
      throw new TakenBack()
    },
  }
  await takenBack(() => runAction(trial, definition, id, name, body))
  return made
}

/**
 * What a new record would be filled with, without creating it; that required fields and rows are missing is no matter. Throws
 * 401/403, and 422 for all else that its rules refuse.
 */
export async function filledRecord(
  context: Context,
  definition: DocTypeDefinition,
  body: unknown,
): Promise<WireRecord> {
  assertMay(context, definition, 'create')
  const parts = context.services.partsOf(definition)
  const judged = knownParts(context, parts).validator.judge('create', body)
  const tables = new Set(definition.fields.flatMap(({ name, child }) => (child ? [name] : [])))
  const problems = judged.problems.filter(
    ({ field, code }) => code !== 'required' && !tables.has(field),
  )
  let record: WireRecord = {}
  const trial: Context = {
    ...context,
    isTrial: true,
    async beforeCommit(_tx, result) {
      record = { ...result?.record }
      throw new TakenBack()
    },
  }
  await takenBack(() =>
    runOperation(trial, (work) => createWithin(work, parts, { ...judged, problems })),
  )
  return record
}

async function takenBack(run: () => Promise<unknown>): Promise<void> {
  try {
    await run()
  } catch (error) {
    if (!(error instanceof TakenBack)) throw error
  }
}

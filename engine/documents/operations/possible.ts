import { type Action, can } from '../../access/can.ts'
import { isRefusal } from '../../base/errors.ts'
import type { DocTypeDefinition } from '../../definition/model/definition.ts'
import type { Doc } from '../../storage/database/document.ts'
import { valueIn } from '../../storage/database/document.ts'
import { assertDocstatus } from '../effects/locked.ts'
import { assertCancellable, assertRemovable, assertSubmittableNow } from '../effects/within.ts'
import { assertMay, assertMayWith, openMoves } from '../rights/door.ts'
import type { Context, DocTypeParts } from '../work/context.ts'
import { keyOf, startWork, type Work } from '../work/work.ts'
import { assertActionPossible } from './act.ts'
import { assertAmendable } from './amend.ts'
import { applyChange } from './change.ts'

/** Whether an operation is possible: true, or the sentence that its refusal would say. */
export type Possibility = true | string

/** What the caller may do with a record as it is; null where there is no such operation (contract §7.1, `_can`). */
export interface Possible {
  readonly update: Possibility
  readonly delete: Possibility
  readonly submit: Possibility | null
  readonly cancel: Possibility | null
  readonly amend: Possibility | null
  readonly actions: Readonly<Record<string, Possibility>>
  /** States that the caller may move a chosen status to. */
  readonly flow: readonly string[]
}

/**
 * What the caller may do with a record that they may read: by their rights, its state and what links to it. What only the
 * operation itself finds (a rule, too little in stock) is told by its preview.
 */
export async function possibleWith(
  context: Context,
  parts: DocTypeParts,
  doc: Doc,
): Promise<Possible> {
  const { read } = context.services.database
  const work = startWork(read, context, applyChange)
  const entry = { parts, name: doc.name, start: doc, current: doc, kinds: [] }
  work.touched.set(keyOf(parts, doc.name), entry)
  const asked: Asked = { context, work, parts, doc }
  const { definition } = parts
  const ofDocuments = async (
    action: Action,
    assert: () => Promise<void> | void,
  ): Promise<Possibility | null> =>
    definition.submittable ? possible(asked, action, assert) : null
  return {
    update: await possible(asked, 'update', () => assertChangeable(parts, doc)),
    delete: await possible(asked, 'delete', () => assertRemovable(work, parts, doc)),
    submit: await ofDocuments('submit', () => assertSubmittableNow(parts, doc)),
    cancel: await ofDocuments('cancel', async () => {
      await assertCancellable(work, parts, doc)
    }),
    amend: await ofDocuments('amend', () => assertAmendable(work, parts, doc)),
    actions: await actionsOf(asked),
    flow: flowOf(context, definition, doc),
  }
}

interface Asked {
  readonly context: Context
  readonly work: Work
  readonly parts: DocTypeParts
  readonly doc: Doc
}

async function possible(
  { context, work, parts, doc }: Asked,
  action: Action,
  assert: () => Promise<void> | void,
): Promise<Possibility> {
  try {
    assertMay(context, parts.definition, action)
    await assertMayWith(context, work.tx, parts, doc, action)
    await assert()
    return true
  } catch (error) {
    if (isRefusal(error)) return error.message
    throw error
  }
}

async function actionsOf(asked: Asked): Promise<Record<string, Possibility>> {
  const { work, parts, doc } = asked
  const told: Record<string, Possibility> = {}
  for (const plan of parts.behaviour.actions.values()) {
    if (plan.declared.system === true) continue
    told[plan.name] = await possible(asked, `action:${plan.name}`, () =>
      assertActionPossible(work, parts, plan, doc.name),
    )
  }
  return told
}

/** A submitted document is cancelled and amended instead (spec §3). */
function assertChangeable(parts: DocTypeParts, doc: Doc): void {
  const advice = doc.docstatus === 1 ? 'cancel it, then amend it' : 'amend it'
  assertDocstatus(parts, doc, 0, 'change', advice)
}

function flowOf(context: Context, definition: DocTypeDefinition, doc: Doc): readonly string[] {
  const { status } = definition.behaviour
  if (!status?.flow || !can(context, definition, 'update')) return []
  const moves = openMoves(context, definition, valueIn(doc, status.field))
  return [...new Set(moves.map(({ to }) => to))]
}

import { AppError, isRefusal } from '../../base/errors.ts'
import type { DocTypeDefinition } from '../../definition/model/definition.ts'
import type { Doc } from '../../storage/database/document.ts'
import { lockForChange } from '../effects/locked.ts'
import { docFromInput, leftEmpty, mergeInput } from '../record/record-input.ts'
import { knownParts, mayWith } from '../rights/door.ts'
import { fillLimitDefaults } from '../rights/given-limits.ts'
import type { Context } from '../work/context.ts'
import type { DocumentResult, Preview, WireRecord } from '../work/present.ts'
import type { Work } from '../work/work.ts'
import { computeWanted } from './change.ts'
import { getDocument } from './get.ts'
import { inWork } from './operation.ts'

/** Operation that is tried: with a body it creates or changes the record, else it does something with it as it is. */
export interface Tried {
  readonly definition: DocTypeDefinition
  /** Record that is there. */
  readonly id?: string
  /** Body of a create, or of a change. */
  readonly body?: unknown
  /** Runs the operation; its rights, locks and errors are those of the real one. */
  run(context: Context): Promise<DocumentResult>
}

/**
 * Previews an operation (`_preview=1`): runs it whole, tells what came of it and takes it back. Where it would be refused
 * with 422, the problems stand beside what can be computed. Throws what else it throws: 401/403, 404, 409, 412.
 */
export async function previewOperation(context: Context, tried: Tried): Promise<Preview> {
  const { beforeCommit: _, ...own } = context
  const rehearsal: Context = { ...own, isRehearsal: true }
  try {
    const { preview } = await tried.run(rehearsal)
    if (!preview) throw new Error('an operation without a preview was tried')
    return preview
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'VALIDATION_ERROR') throw error
    const problems = error.details ?? [{ field: '', message: error.message, code: 'rule' as const }]
    const record = await computedSoFar(rehearsal, tried)
    const nothing = { warnings: [], created: [], changed: [], deleted: [], ledgers: {}, events: [] }
    return { record, problems, ...nothing }
  }
}

/** The record as far as it can be computed; null where that is nothing, or nothing the caller may know. */
async function computedSoFar(context: Context, tried: Tried): Promise<WireRecord | null> {
  const { definition, id, body } = tried
  try {
    if (body !== undefined) return await computed(context, tried)
    if (id === undefined || !(await mayWith(context, definition, id, 'read'))) return null
    return { ...(await getDocument(context, definition, id)).record }
  } catch (error) {
    if (isRefusal(error)) return null
    throw error
  }
}

function computed(context: Context, { definition, id, body }: Tried): Promise<WireRecord> {
  const parts = context.services.partsOf(definition)
  const known = knownParts(context, parts)
  const { input } = known.validator.judge(id === undefined ? 'create' : 'update', body)
  return inWork(context, async (work: Work) => {
    const before = id === undefined ? undefined : await lockForChange(work, parts, id, 'update')
    const after = before
      ? mergeInput(definition, before, input).after
      : docFromInput(parts.store.empty(), definition, input)
    if (!before) fillLimitDefaults(context, definition, after)
    const { computed: doc } = await computeWanted(work, {
      parts,
      after,
      ...(before ? { before } : { empty: leftEmpty(definition, input.values) }),
    })
    return before ? known.presenter.record(doc) : unnamed(known.presenter.record(doc))
  })
}

const OF_STORED: readonly (keyof Doc)[] = ['name', 'created', 'modified', 'owner', 'modified_by']

/** A record that was never stored has no identity and no history. */
function unnamed(record: WireRecord): WireRecord {
  const nothing = Object.fromEntries(['id', ...OF_STORED].map((name) => [name, null]))
  return { ...record, ...nothing }
}

import type { Action } from '../../access/can.ts'
import { AppError, recordNotFound } from '../../base/errors.ts'
import type { Doc } from '../../storage/database/document.ts'
import type { LockStrength } from '../../storage/records/record-statements.ts'
import { assertMayWith } from '../rights/door.ts'
import type { DocTypeParts } from '../work/context.ts'
import { etagOf } from '../work/present.ts'
import { lockRecord, type Work } from '../work/work.ts'

/**
 * The record with its rows, locked for this change. Throws NOT_FOUND, and PRECONDITION_FAILED when
 * `If-Match` names another version (contract §3, Lost updates); NOT_FOUND and FORBIDDEN for a record that
 * the caller's roles keep from them.
 */
export async function lockForChange(
  work: Work,
  parts: DocTypeParts,
  id: string,
  action: Action,
  strength: LockStrength = 'change',
): Promise<Doc> {
  const { ifMatch } = work.context
  const { label } = parts.definition
  const doc = (await lockRecord(work, parts, id, strength))?.current
  if (!doc) throw recordNotFound(label, id)
  // What effects do, they do for the document and not for who asked (contract §3, Tiers).
  if (work.depth === 0) await assertMayWith(work.context, work.tx, parts, doc, action)
  if (ifMatch && work.depth === 0 && !ifMatch.includes('*') && !ifMatch.includes(etagOf(doc))) {
    throw new AppError(
      'PRECONDITION_FAILED',
      `${label} ${JSON.stringify(id)} has changed: expected ETag ${ifMatch.join(', ')}, it is ${etagOf(doc)} now; read it again`,
    )
  }
  return doc
}

const STATE = ['a draft', 'submitted', 'cancelled'] as const

/** Refuses an operation in the wrong state with 409, saying what to do. */
export function assertDocstatus(
  { definition }: DocTypeParts,
  doc: Doc,
  expected: 0 | 1 | 2,
  verb: string,
  advice: string,
): void {
  if (doc.docstatus === expected) return
  const state = STATE[doc.docstatus as 0 | 1 | 2]
  throw new AppError(
    'CONFLICT',
    `cannot ${verb} ${definition.label} ${JSON.stringify(doc.name)}: it is ${state}; ${advice}`,
    {
      details: [
        {
          field: 'docstatus',
          message: `expected ${expected}, got ${doc.docstatus}`,
          code: 'wrong_state',
        },
      ],
    },
  )
}

/** Refuses submit, cancel and amend where the DocType has no such states (contract §3: 422). */
export function assertSubmittable({ definition }: DocTypeParts, verb: string): void {
  if (definition.submittable) return
  throw new AppError(
    'VALIDATION_ERROR',
    `${definition.labelPlural} cannot be ${verb}: the DocType is not submittable`,
    {
      details: [
        {
          field: 'docstatus',
          message: `${definition.slug} is not submittable`,
          code: 'wrong_state',
        },
      ],
    },
  )
}

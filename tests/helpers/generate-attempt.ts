import { AppError, type Detail } from '../../engine/base/errors.ts'
import type { DocTypeDefinition } from '../../engine/definition/model/definition.ts'
import { cancelDocument } from '../../engine/documents/operations/cancel.ts'
import { createDocument } from '../../engine/documents/operations/create.ts'
import { removeDocument } from '../../engine/documents/operations/remove.ts'
import { submitDocument } from '../../engine/documents/operations/submit.ts'
import type { Context } from '../../engine/documents/work/context.ts'
import type { DocumentResult } from '../../engine/documents/work/present.ts'

export type Outcome =
  | { readonly made: DocumentResult }
  | {
      readonly problems: readonly Detail[]
      /** A name or another unique value is not free. */
      readonly taken: boolean
      /** What was refused is the submit. */
      readonly drafted: boolean
    }

/** Creates and submits; what could not be submitted is removed again. */
export async function attempt(
  context: Context,
  definition: DocTypeDefinition,
  body: unknown,
): Promise<Outcome> {
  let draft: DocumentResult | undefined
  try {
    draft = await createDocument(context, definition, body)
    if (!definition.submittable) return { made: draft }
    return { made: await submitDocument(context, definition, draft.id) }
  } catch (error) {
    if (!isRefusal(error)) throw error
    if (draft) await removeDocument(context, definition, draft.id)
    return {
      problems: error.details ?? [],
      taken: error.code === 'CONFLICT',
      drafted: draft !== undefined,
    }
  }
}

/**
 * Takes back what an attempt made: cancelled, and removed unless it left rows in a ledger. Returns what the
 * cancel was refused with.
 */
export async function undo(
  context: Context,
  definition: DocTypeDefinition,
  { id }: DocumentResult,
): Promise<AppError | undefined> {
  if (definition.submittable) {
    const refusal = await refusalOf(() => cancelDocument(context, definition, id))
    if (refusal) return refusal
  }
  await refusalOf(() => removeDocument(context, definition, id))
  return undefined
}

async function refusalOf(run: () => Promise<unknown>): Promise<AppError | undefined> {
  try {
    await run()
    return undefined
  } catch (error) {
    if (!isRefusal(error)) throw error
    return error
  }
}

function isRefusal(error: unknown): error is AppError {
  return (
    error instanceof AppError && (error.code === 'VALIDATION_ERROR' || error.code === 'CONFLICT')
  )
}

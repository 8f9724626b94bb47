import { AppError, validationError } from '../../base/errors.ts'
import type { DocTypeDefinition } from '../../definition/model/definition.ts'

/**
 * Of many records that a step makes or changes, the one that is refused is named: `Salary Slip of Grace: …`. Its title is
 * that of `source`, where it has one. Throws what `run` throws.
 */
export async function namingRefused<T>(
  { label, titleField }: DocTypeDefinition,
  source: Readonly<Record<string, unknown>> | undefined,
  run: () => Promise<T>,
): Promise<T> {
  try {
    return await run()
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'VALIDATION_ERROR') throw error
    const title = source?.[titleField]
    if (typeof title !== 'string' || title === '' || !error.details) throw error
    const details = error.details.map(({ field, message }) => ({
      field,
      message: `${label} of ${title}: ${message}`,
      code: 'rule' as const,
    }))
    throw validationError(details, error.untold)
  }
}

import { AppError, validationError } from '../../base/errors.ts'
import type { DocTypeDefinition } from '../../definition/model/definition.ts'

/**
 * Runs `run` for one of many records that a step makes or changes, so that a refused one is named in the error:
 * `Salary Slip of Grace: …`, by its `title` field in `source`, where that has one. Throws what `run` throws.
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

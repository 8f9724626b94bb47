import type { Detail } from '../../engine/base/errors.ts'
import { flagOf } from './query-flags.ts'
import type { Parameters } from './query-string.ts'

/** How a CSV is written. */
export interface CsvForm {
  /** Labels above, instead of the names of fields. */
  readonly labels: boolean
  /** With a byte order mark, which Excel wants. */
  readonly mark: boolean
  /** With the totals of a report below. */
  readonly totals: boolean
}

/** Parameters that a CSV has beside those of its list or report, with their values when they are not sent. */
export const CSV_PARAMETERS = { labels: '0', bom: '0', totals: '1' } as const
export type CsvParameter = keyof typeof CSV_PARAMETERS

/**
 * Reads how a CSV is written, and gives back the other parameters. A field or a parameter that is called so comes first
 * (`taken`). What is wrong goes to `details`, also where no CSV is asked for.
 */
export function readCsvForm(
  parameters: Parameters,
  names: readonly CsvParameter[],
  taken: (name: string) => boolean,
  isCsv: boolean,
  details: Detail[],
): { readonly form: CsvForm; readonly rest: Parameters } {
  const own = names.filter((name) => !taken(name))
  const isOwn = (name: string): boolean => own.some((one) => one === name)
  const mine = parameters.filter(([name]) => isOwn(name))
  const given = new Map<string, string>(mine)
  if (!isCsv)
    for (const [field] of mine)
      details.push({ field, message: 'expected only with Accept: text/csv', code: 'unknown_field' })
  if (given.size < mine.length)
    details.push({ field: mine[0]![0], message: 'came more than once', code: 'wrong_type' })
  const isOn = (name: CsvParameter): boolean =>
    flagOf(new Map([[name, given.get(name) ?? CSV_PARAMETERS[name]]]), name, details)
  return {
    form: { labels: isOn('labels'), mark: isOn('bom'), totals: isOn('totals') },
    rest: parameters.filter(([name]) => !isOwn(name)),
  }
}

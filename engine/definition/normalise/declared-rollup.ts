import type { Field } from '../../fields/field.ts'
import { madeName } from '../model/made-name.ts'
import type { Path } from '../yaml/parse.ts'
import { isMap, type Report } from '../yaml/source.ts'
import { kebab } from './slug.ts'

/** What the fields of a rollup over several DocTypes are made with. */
interface Declared {
  /** Names of the DocTypes that declare a name. */
  readonly declared: (name: string) => readonly string[]
  readonly report: Report
}

/**
 * A field whose rollup is over every DocType that declares something (`declaring`): with one such DocType it is kept from
 * that, with several it is the sum of internal fields, one for each. Any other field is itself.
 *
 *     outstanding_total: {type: currency, rollup: {declaring: receivable, match: owed_party, sum: base_outstanding_amount}}
 */
export function overDeclared(
  field: Field,
  written: unknown,
  path: Path,
  { declared, report }: Declared,
): readonly Field[] {
  if (!isMap(written) || written.declaring === undefined || !field.rollup) return [field]
  const { rollup, ...whole } = field
  const sources = declared(String(written.declaring))
  const [from, ...others] = sources
  if (from !== undefined && others.length === 0) return [{ ...field, rollup: { ...rollup, from } }]
  if (rollup.operation !== 'sum' && rollup.operation !== 'count')
    report(
      [...path, 'rollup', rollup.operation],
      'only a sum or count is kept over several DocTypes (declaring)',
      'key',
    )
  const parts = sources.map(
    (source): Field => ({
      ...whole,
      name: madeName(field.name, kebab(source).replaceAll('-', '_')),
      label: `${field.label}: ${source}`,
      filterable: false,
      unique: false,
      internal: true,
      rollup: { ...rollup, from: source },
      partOf: field.name,
    }),
  )
  const formula = parts.length === 0 ? '0' : parts.map(({ name }) => name).join(' + ')
  return [...parts, { ...whole, formula }]
}

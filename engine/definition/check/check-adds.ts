import type { Field } from '../../fields/field.ts'
import type { Path } from '../yaml/parse.ts'
import type { FieldsCheck } from './check-sources.ts'

/** Checks `adds` of a table: all that it names are columns of it. */
export function checkAdds({ adds, child }: Field, path: Path, { report }: FieldsCheck): void {
  if (!adds || !child) return
  const columns = new Set(child.fields.map(({ name }) => name))
  const check = (name: string, at: Path): void => {
    if (!columns.has(name)) report([...path, 'adds', ...at], `the table has no column ${name}`)
  }
  check(adds.mark, ['mark'])
  check(adds.when, ['when'])
  for (const [column, from] of Object.entries(adds.set)) {
    check(column, ['set', column])
    check(from, ['set', column])
  }
}

import { suggest } from '../../base/suggest.ts'
import type { Field, FieldRights } from '../../fields/field.ts'
import { isPublic } from '../../fields/public-fields.ts'
import { isMap, type Report, type YamlMap } from '../yaml/source.ts'

const IS_INTERNAL = 'is internal, so nobody reads or sets it; remove it here'
const NOT_SET =
  'nobody sets this field: the workspace fills it, and those who may read it read it; remove write'

/**
 * The fields with the roles that each is kept for (`permissions.fields`): `salary`, or `items.cost` for a column of a
 * table's rows. What names no field, an internal one or nothing to keep is reported.
 */
export function withRights(fields: readonly Field[], data: YamlMap, report: Report): Field[] {
  const { permissions } = data
  const declared = isMap(permissions) && isMap(permissions.fields) ? permissions.fields : {}
  let kept = [...fields]
  for (const [place, rights] of Object.entries(declared)) {
    const path = ['permissions', 'fields', place]
    const [name = '', column, ...more] = place.split('.')
    const field = kept.find((one) => one.name === name)
    const inside = field?.child?.fields.find((one) => one.name === column)
    const meant = column === undefined ? field : inside
    if (!meant || more.length > 0) {
      const known = fields.flatMap((one) => [
        one.name,
        ...(one.child?.fields ?? []).map((cell) => `${one.name}.${cell.name}`),
      ])
      const near = suggest(place, known)
      const hint = near === undefined ? '' : `; did you mean ${near}?`
      report(path, `no field ${JSON.stringify(place)}${hint}`, 'key')
      continue
    }
    if (!isPublic(meant)) report(path, IS_INTERNAL, 'key')
    if (isMap(rights) && rights.write !== undefined && meant.readOnly && !meant.child)
      report([...path, 'write'], NOT_SET, 'key')
    const closed = { ...meant, rights: rights as FieldRights }
    kept = kept.map((one) => {
      if (one !== field) return one
      if (!inside || !one.child) return closed
      const cells = one.child.fields.map((cell) => (cell === inside ? closed : cell))
      return { ...one, child: { ...one.child, fields: cells } }
    })
  }
  return kept
}

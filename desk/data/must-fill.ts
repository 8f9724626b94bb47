import type { FieldInfo } from './types.ts'

/** Whether somebody has to fill a field: nothing fills it by itself when it is left empty. */
export function mustFill(field: FieldInfo): boolean {
  const { required, default: value, default_expression, fetch, readOnly } = field
  return (
    required &&
    !readOnly &&
    value === undefined &&
    default_expression === undefined &&
    fetch === undefined
  )
}

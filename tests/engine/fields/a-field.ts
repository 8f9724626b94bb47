import type { Field } from '../../../engine/fields/field.ts'

/** A field of a type with nothing declared but what is given. */
export function aField(type: string, more: Partial<Field> = {}): Field {
  return {
    name: 'x',
    type,
    label: 'X',
    required: false,
    unique: false,
    filterable: false,
    createOnly: false,
    readOnly: false,
    hidden: false,
    internal: false,
    allowOnSubmit: false,
    noCopy: false,
    ...more,
  }
}

import type { Field } from './field.ts'
import { FieldProblem, type FieldType, type JsonSchema } from './field-type.ts'
import { ROWS_FORM } from './frappe-form.ts'
import { described, pointlessKeys } from './problem.ts'

const ROWS_ARE_READ_ONE_BY_ONE =
  'is a table: its value is read row by row, each field by its own type'

/**
 * Rows of a child DocType, kept in a table of their own. It has no value of its own: whoever reads or shows a
 * record walks `field.child.fields`. `typeOf` looks a row field's type up; it is handed in because the
 * registry of types is made of this type too.
 */
export function tableType(typeOf: (name: string) => FieldType): FieldType {
  function noValue(): never {
    throw new FieldProblem(ROWS_ARE_READ_ONE_BY_ONE)
  }

  function rowSchema(fields: readonly Field[]): JsonSchema {
    const required = fields.filter((field) => field.required).map(({ name }) => name)
    return {
      type: 'object',
      properties: Object.fromEntries(
        fields.map((field) => [field.name, typeOf(field.type).schema(field)]),
      ),
      ...(required.length === 0 ? {} : { required }),
    }
  }

  return {
    name: 'table',
    storage: 'rows',
    kind: 'rows',
    operators: [],
    searchable: false,
    inList: false,
    secret: false,
    widget: 'table',
    optionsMean: 'rows',
    scaleOf: () => 0,
    schema: (field) => ({
      type: 'array',
      items: rowSchema(field.child?.fields ?? []),
      ...(field.child?.minRows ? { minItems: field.child.minRows } : {}),
      ...(field.child ? { maxItems: field.child.maxRows } : {}),
      ...described(field),
    }),
    read: noValue,
    readText: noValue,
    toWire: noValue,
    toColumn: noValue,
    fromColumn: noValue,
    frappe: ROWS_FORM,
    check: (field) => pointlessKeys(field, []),
    example({ child }, n) {
      if (!child) return []
      const writable = child.fields.filter((field) => !field.readOnly)
      const row = (index: number): Record<string, unknown> =>
        Object.fromEntries(
          writable.map((field) => [field.name, typeOf(field.type).example(field, n + index)]),
        )
      return Array.from({ length: Math.max(1, child.minRows) }, (_, index) => row(index))
    },
  }
}

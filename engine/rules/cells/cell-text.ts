import { isText, type ScalarKind } from '../../expression/tree/types.ts'

/** Value of a column that a statement gave as text, as records hold values of that kind. */
export function cellValue(text: string, kind: ScalarKind): string | number | bigint | boolean {
  if (isText(kind)) return text
  if (kind === 'bool') return text === '1'
  return kind === 'int' ? Number(text) : BigInt(text)
}

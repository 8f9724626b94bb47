import { type HookKind, kindOf } from '../../definition/model/hook.ts'
import {
  DECIMAL_SCALE,
  MONEY_SCALE,
  type ScalarKind,
  type ValueType,
} from '../../expression/tree/types.ts'

/** Type of a value of this hook kind, as expressions see it. */
export function hookType(kind: HookKind): ValueType & { readonly kind: ScalarKind } {
  const { kind: scalar } = kindOf(kind)
  const scale = scalar === 'money' ? MONEY_SCALE : scalar === 'decimal' ? DECIMAL_SCALE : 0
  return { kind: scalar, scale }
}

import { suggest } from '../../base/suggest.ts'
import type { JsonSchema } from '../../fields/field-type.ts'
import type { Path } from '../yaml/parse.ts'
import type { ShapeProblem } from '../yaml/shape-problem.ts'
import { CUT_OFF, isCutOff, mayBeCutOff } from './cut-off.ts'
import { type Shape, shapeOf } from './shape-node.ts'
import { hint, isMap, shown, wrongValue } from './shape-value.ts'

type Mistake = Pick<ShapeProblem, 'part' | 'message'> & { readonly missing?: true }

/** Receiver of what a check finds, and the way to the value it looks at: one list that grows and shrinks. */
interface Found {
  readonly at: (string | number)[]
  mistake(mistake: Mistake): void
  literal(): void
}

/**
 * Mistakes in the content of a file. `literal` hears of each number, true and false that stands where an expression is
 * expected, which is one that says itself.
 */
export type ShapeCheck = (data: unknown, literal?: (path: Path) => void) => readonly ShapeProblem[]

/**
 * Checks the content of a file against the meta-schema and says every mistake in words. It reads the schema
 * itself instead of having ajv compile it: that would cost every start more than reading all the files does,
 * and could not suggest what was meant. A test holds the two to the same verdict.
 */
export function createShapeCheck(meta: JsonSchema): ShapeCheck {
  let shape: Shape | undefined
  return (data, literal) => {
    shape ??= shapeOf(meta)
    const problems: ShapeProblem[] = []
    check(shape, data, receiver(problems, literal))
    return problems
  }
}

/** `isWhole`: the data is a map of which no key can be what a comma has cut off. */
function check(shape: Shape, data: unknown, found: Found, isWhole = false): void {
  const wrong = wrongValue(shape, data)
  if (wrong !== undefined) {
    const message = `${wrong}, got ${shown(data)}${hint(shape, data)}`
    found.mistake({ part: 'value', message })
    return
  }
  if (shape.isExpression && typeof data !== 'string') found.literal()
  if (Array.isArray(data)) {
    if (shape.items) checkItems(shape.items, data, found)
  } else if (isMap(data) && !(isWhole && shape.isOpen)) checkMap(shape, data, found)
  const { all, when, oneOf } = shape
  const whole = isWhole || ((all.length > 0 || when !== undefined) && isMap(data) && isUncut(data))
  for (let at = 0; at < all.length; at += 1) check(all[at]!, data, found, whole)
  if (when) check(holds(when.holds, data) ? when.so : when.otherwise, data, found, whole)
  if (oneOf.length > 0 && oneOf.filter((part) => holds(part, data)).length !== 1)
    found.mistake({ part: 'key', message: `needs either ${alternatives(oneOf)}` })
}

function isUncut(data: Readonly<Record<string, unknown>>): boolean {
  for (const key in data) if (mayBeCutOff(key, data[key])) return false
  return true
}

function checkItems(items: Shape, data: readonly unknown[], found: Found): void {
  for (let step = 0; step < data.length; step += 1) {
    found.at.push(step)
    check(items, data[step], found)
    found.at.pop()
  }
}

function checkMap(shape: Shape, data: Readonly<Record<string, unknown>>, found: Found): void {
  const { required, keys } = shape
  for (let at = 0; at < required.length; at += 1) {
    const key = required[at]!
    if (!Object.hasOwn(data, key))
      found.mistake({ part: 'key', message: `needs the key ${key}`, missing: true })
  }
  let before: unknown
  for (const key in data) {
    const value = data[key]
    const known = keys.get(key)
    found.at.push(key)
    if (!known && isCutOff(before, key, value)) {
      found.mistake({ part: 'key', message: CUT_OFF })
      before = `${before},${key}`
    } else {
      before = value
      if (shape.named && !shape.named.test(key))
        found.mistake({ part: 'key', message: badName(key) })
      else if (known) check(known, value, found)
      else checkOther(shape, key, value, found)
    }
    found.at.pop()
  }
}

function checkOther({ others, keys }: Shape, key: string, value: unknown, found: Found): void {
  if (others === false) found.mistake({ part: 'key', message: unknownKey(key, [...keys.keys()]) })
  else if (others) check(others, value, found)
}

function receiver(problems: ShapeProblem[], literal: ((path: Path) => void) | undefined): Found {
  const at: (string | number)[] = []
  return {
    at,
    mistake({ part, message, missing }) {
      const path = [...at]
      problems.push({ path, part, message, ...(missing ? {} : { remove: path }) })
    },
    literal: () => literal?.([...at]),
  }
}

/** Whether a condition (`if`, a part of `oneOf`) holds: those only ask for keys and plain values. */
function holds({ required, entries }: Shape, data: unknown): boolean {
  if (!isMap(data)) return false
  for (let at = 0; at < required.length; at += 1)
    if (!Object.hasOwn(data, required[at]!)) return false
  for (let at = 0; at < entries.length; at += 1) {
    const { key, shape } = entries[at]!
    if (Object.hasOwn(data, key) && wrongValue(shape, data[key]) !== undefined) return false
  }
  return true
}

function unknownKey(key: string, known: readonly string[]): string {
  const near = suggest(key, known)
  if (near !== undefined) return `unknown key ${key}; did you mean ${near}?`
  return `unknown key ${key}; expected one of ${known.join(' ')}`
}

function badName(key: string): string {
  return `expected a name of small letters, digits and _ (at most 50), got ${JSON.stringify(key)}`
}

function alternatives(shapes: readonly Shape[]): string {
  return shapes.map(({ required }) => required.join(' and ')).join(', or ')
}

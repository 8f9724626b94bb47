import type { EffectStep } from '../../engine/definition/model/definition.ts'
import { aspectsOf, type Fact, textOf } from './texts.ts'

/** Facts of what a submit does: what is posted to which ledger, and which records are made or changed. */
export function stepFacts(steps: readonly EffectStep[]): ReadonlyMap<string, Fact> {
  const facts = new Map<string, Fact>()
  for (const step of steps) {
    const name = nameOf(step)
    let key = name
    for (let n = 2; facts.has(key); n += 1) key = `${name} (${n})`
    facts.set(key, { key, aspects: aspectsFor(step) })
  }
  return facts
}

function nameOf(step: EffectStep): string {
  if ('post' in step) return `posts to ${step.post}`
  if ('create' in step) return `makes ${step.create}`
  return 'update' in step ? `changes ${step.update}` : 'sets fields of its own'
}

function aspectsFor(step: EffectStep): Fact['aspects'] {
  if (!('post' in step)) {
    const { if: condition, ...rest } = step
    return aspectsOf({ if: condition, how: rest })
  }
  const { if: condition, rows, date, rounding } = step
  const numbered = rows.map((row, index) => [`row ${index + 1}`, textOf(row)])
  return aspectsOf({ if: condition, ...Object.fromEntries(numbered), date, rounding })
}

import type { StatusDeclaration } from '../../engine/definition/model/definition.ts'
import { movesOf } from '../../engine/definition/normalise/flow.ts'
import { aspectsOf, type Fact } from './texts.ts'

/** Facts of the states a record can be in, and of the moves between them. */
export function flowFacts(status: StatusDeclaration | undefined): {
  readonly States: ReadonlyMap<string, Fact>
  readonly Moves: ReadonlyMap<string, Fact>
} {
  if (!status) return { States: new Map(), Moves: new Map() }
  const { initial, cancelled, derive = {}, flow = {}, moves = {}, tick = {} } = status
  const names = new Set([
    ...Object.keys(derive),
    ...Object.entries(flow).flatMap(([from, to]) => [from, ...to]),
    ...Object.keys(moves),
    ...[initial, cancelled].filter((one) => one !== undefined),
  ])
  const states = [...names].map((key): Fact => {
    const aspects = aspectsOf({
      'is so when': derive[key],
      'begins here': initial === key,
      'a cancel leads here': cancelled === key,
      'moves here by itself when': moves[key],
      'looked at again': tick[key],
    })
    return { key, aspects }
  })
  const arrows = movesOf(status).map(({ from, to, roles }): Fact => {
    return { key: `${from} → ${to}`, aspects: aspectsOf({ by: roles ?? 'whoever may update' }) }
  })
  return { States: byKey(states), Moves: byKey(arrows) }
}

function byKey(facts: readonly Fact[]): ReadonlyMap<string, Fact> {
  return new Map(facts.map((fact) => [fact.key, fact]))
}

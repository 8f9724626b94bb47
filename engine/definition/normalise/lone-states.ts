import { suggest } from '../../base/suggest.ts'
import type { StatusDeclaration } from '../model/definition.ts'
import type { Path } from '../yaml/parse.ts'
import { isMap, type Report } from '../yaml/source.ts'

/** A place where an arrow or an action names the state it leads to. */
interface Target {
  readonly state: string
  readonly path: Path
  /** Whether the name is a key of the YAML: arrows of roles. */
  readonly isKey: boolean
}

/**
 * Reports states that a single arrow or action leads to, that nothing else names, and that are all but called like
 * another: a slip would make a state of its own, out of which there is no way. One that is meant has a line of its own
 * in `flow` (`Closed: []`).
 */
export function reportLoneStates(
  status: StatusDeclaration,
  /** Options of the declared field, where it lists any. */
  options: unknown,
  actions: unknown,
  report: Report,
): void {
  const { flow, initial, cancelled, moves = {} } = status
  if (!flow) return
  const named = new Set([...Object.keys(flow), ...Object.keys(moves), initial, cancelled])
  if (Array.isArray(options)) for (const option of options) named.add(option)
  const targets = Map.groupBy([...arrowsOf(status), ...movesOf(actions)], ({ state }) => state)
  for (const [state, [target, ...others]] of targets) {
    if (named.has(state) || others.length > 0 || !target) continue
    const known = [...named, ...targets.keys()].filter((one) => one !== undefined && one !== state)
    const near = suggest(state, known as string[])
    if (near === undefined) continue
    const [is, meant] = [JSON.stringify(state), JSON.stringify(near)]
    report(
      target.path,
      `nothing else names the state ${is}, did you mean ${meant}? If not, give it a line of its own in flow: ${state}: []`,
      target.isKey ? 'key' : undefined,
    )
  }
}

function arrowsOf({ flow = {}, movers }: StatusDeclaration): Target[] {
  return Object.entries(flow).flatMap(([from, states]) =>
    states.map((state, index): Target => {
      const isKey = movers?.[from]?.[state] !== undefined
      return { state, path: ['status', 'flow', from, isKey ? state : index], isKey }
    }),
  )
}

function movesOf(actions: unknown): Target[] {
  return Object.entries(isMap(actions) ? actions : {}).flatMap(([name, action]) => {
    const state = isMap(action) ? action.moves : undefined
    return typeof state === 'string'
      ? [{ state, path: ['actions', name, 'moves'], isKey: false }]
      : []
  })
}

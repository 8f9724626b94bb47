import type { StatusDeclaration } from '../model/definition.ts'
import { isMap } from '../yaml/source.ts'

/** The field of a status that names none. */
const STATUS_FIELD = 'status'

/**
 * A status as written → as the engine has it: the field `status` unless it names another, each state of `flow` a list
 * of states, the roles of its arrows apart in `movers`.
 */
export function normaliseStatus(written: unknown): StatusDeclaration | undefined {
  if (!isMap(written)) return undefined
  const status = { field: STATUS_FIELD, ...written } as StatusDeclaration
  if (!isMap(written.flow)) return status
  const flow: Record<string, readonly string[]> = {}
  const movers: Record<string, Readonly<Record<string, readonly string[]>>> = {}
  for (const [from, to] of Object.entries(written.flow)) {
    flow[from] = isMap(to) ? Object.keys(to) : (to as string[])
    if (isMap(to) && Object.keys(to).length > 0)
      movers[from] = to as Readonly<Record<string, readonly string[]>>
  }
  const isForAll = Object.keys(movers).length === 0
  return { ...status, flow, ...(isForAll ? {} : { movers }) }
}

/** One arrow of a flow. */
export interface Move {
  readonly from: string
  readonly to: string
  /** Roles that may, System Managers besides; undefined = whoever may update the record. */
  readonly roles?: readonly string[]
}

/** The arrows of a flow, in the order they are written. */
export function movesOf({ flow = {}, movers }: StatusDeclaration): readonly Move[] {
  return Object.entries(flow).flatMap(([from, states]) =>
    states.map((to): Move => {
      const roles = movers?.[from]?.[to]
      return { from, to, ...(roles === undefined ? {} : { roles }) }
    }),
  )
}

/** Sentence about who may move a status where: `Open → Approved (HR Manager or HR User), Withdrawn.` */
export function flowSentence(status: StatusDeclaration): string | undefined {
  if (!status.movers) return undefined
  const states = Map.groupBy(movesOf(status), ({ from }) => from)
  const sentences = [...states].map(([from, moves]) => {
    const targets = moves.map(({ to, roles }) =>
      roles === undefined ? to : `${to} (${roles.join(' or ')})`,
    )
    return `${from} → ${targets.join(', ')}.`
  })
  return sentences.join(' ')
}

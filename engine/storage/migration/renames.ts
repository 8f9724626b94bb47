/** A table or a column that may replace one of another name. */
interface Renamable {
  readonly name: string
  readonly renamedFrom?: string
  /** Kind of a column's values. */
  readonly type?: string
  readonly scale?: number
}

export interface Rename {
  readonly from: string
  readonly to: string
}

export interface PlannedRenames {
  /** Renames in an order in which every new name is free when its turn comes. */
  readonly renames: readonly Rename[]
  /** New names that cannot be given, with the reason. */
  readonly impossible: readonly (Rename & { readonly reason: string })[]
}

/**
 * Renames by `renamed_from` that are still to be done: the old name is there and the new one is not. One that was
 * done before (`stored` has it too) is left alone, so that the line may stay in the YAML; where the old name is wanted
 * again instead of the new one, it is undone. What is left over from an earlier migration (`gone`) takes the place of
 * nothing that is there, and makes way.
 */
export function planRenames(
  wanted: readonly Renamable[],
  actual: ReadonlySet<string>,
  stored: readonly Renamable[] | undefined,
  gone: readonly Renamable[] = [],
): PlannedRenames {
  const done = new Map(stored?.map(({ name, renamedFrom }) => [name, renamedFrom]))
  const left = new Set(gone.map(({ name }) => name))
  const impossible: (Rename & { reason: string })[] = []
  const wantedNames = new Set(wanted.map(({ name }) => name))
  let pending: Rename[] = []
  for (const { name: to, renamedFrom: from } of wanted) {
    if (from === undefined || from === to || !actual.has(from) || done.get(to) === from) continue
    if (left.has(from) && done.has(to)) continue
    pending.push({ from, to })
  }
  pending.push(...undone(wanted, actual, stored ?? [], pending))

  /** Reason why a rename cannot be done beside the others; an empty text when there is nothing left to do. */
  function obstacle({ from, to }: Rename): string | undefined {
    if (pending.some((other) => other.from === from && other.to !== to)) {
      return `several say renamed_from: ${from}`
    }
    if (actual.has(to) && !left.has(to) && !pending.some((other) => other.from === to)) {
      return stored === undefined ? '' : `${to} is there already`
    }
    if (wantedNames.has(from) && !pending.some((other) => other.to === from)) {
      return `${from} is still wanted under its own name`
    }
    return undefined
  }

  for (let settled = false; !settled; ) {
    const blocked = pending.map((rename) => ({ ...rename, reason: obstacle(rename) }))
    const failed = blocked.filter(({ reason }) => reason !== undefined)
    settled = failed.length === 0
    for (const { from, to, reason } of failed) if (reason) impossible.push({ from, to, reason })
    pending = pending.filter(({ to }) => !failed.some((rename) => rename.to === to))
  }
  const { renames, circle } = ordered(pending)
  for (const rename of circle) {
    impossible.push({ ...rename, reason: 'the names go round in a circle' })
  }
  return { renames, impossible }
}

/** Renames back to names that are wanted again, of what was renamed from them and is wanted no more. */
function undone(
  wanted: readonly Renamable[],
  actual: ReadonlySet<string>,
  stored: readonly Renamable[],
  pending: readonly Rename[],
): Rename[] {
  const used = new Set(wanted.flatMap(({ name, renamedFrom = name }) => [name, renamedFrom]))
  const given = new Set(pending.map(({ to }) => to))
  return wanted.flatMap(({ name: to, type, scale = 0 }) => {
    if (actual.has(to) || given.has(to)) return []
    const renamed = stored.find(({ name, renamedFrom }) => renamedFrom === to && !used.has(name))
    if (!renamed || !actual.has(renamed.name)) return []
    const isSameKind = renamed.type === type && (renamed.scale ?? 0) === scale
    return isSameKind ? [{ from: renamed.name, to }] : []
  })
}

function ordered(pending: readonly Rename[]): { renames: Rename[]; circle: readonly Rename[] } {
  const renames: Rename[] = []
  let left = pending
  for (;;) {
    const taken = new Set(left.map(({ from }) => from))
    const free = left.filter(({ to }) => !taken.has(to))
    if (free.length === 0) return { renames, circle: left }
    renames.push(...free)
    left = left.filter((rename) => !free.includes(rename))
  }
}

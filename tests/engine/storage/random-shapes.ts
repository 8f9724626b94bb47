import type { ColumnShape, IndexShape, TableShape } from '../../../engine/storage/records/shape.ts'
import type { Random } from '../../helpers/random.ts'

/** Which field a column holds, by the column's name: a field keeps its number when it is renamed. */
export type Lineage = ReadonlyMap<string, number>

export interface RandomShape {
  readonly shapes: readonly TableShape[]
  readonly lineage: Lineage
  readonly allowDrop: boolean
}

const NAMES = ['p', 'q', 'r', 's', 't', 'u']

/**
 * A history of one table `a` beside a table that comes and goes: fields are added, removed, renamed (also
 * in chains, onto names that were used before) and change their type, and indexes change with them.
 */
export function* randomShapes(random: Random, length: number): Generator<RandomShape> {
  let columns: readonly ColumnShape[] = []
  let lineage: Lineage = new Map()
  let fields = 0

  for (let round = 0; round < length; round += 1) {
    const before = new Map(columns.map((column) => [column.name, column]))
    const kept = columns.filter(() => random.chance(0.8))
    const free = shuffled(NAMES, random)
    const next: ColumnShape[] = []
    const fieldOf = new Map<string, number>()
    const taken = new Set<string>()
    for (const column of kept) {
      const { name: from } = column
      const renames = random.chance(0.3)
      // A name is free for a rename when no column that stays or goes has it, unless that one moves as well.
      const to = renames ? free.find((name) => !before.has(name) && !taken.has(name)) : from
      const name = to ?? from
      taken.add(name)
      const { renamedFrom: _, ...rest } = column
      const type = random.chance(0.15) ? 'text' : column.type
      const renamed = name === from ? keptRename(column, taken) : { renamedFrom: from }
      next.push({ ...rest, name, type, ...renamed })
      fieldOf.set(name, lineage.get(from)!)
    }
    for (const name of free) {
      const vacated = next.some(({ renamedFrom }) => renamedFrom === name)
      if (taken.has(name) || vacated || random.chance(0.6)) continue
      taken.add(name)
      next.push({ name, type: random.chance(0.5) ? 'text' : 'integer', notNull: false })
      fields += 1
      fieldOf.set(name, fields)
    }
    // A name that is reused at once for another field would be that field to the migration.
    for (const column of [...next]) {
      const old = lineage.get(column.name)
      if (old === undefined || old === fieldOf.get(column.name)) continue
      next.splice(next.indexOf(column), 1)
      fieldOf.delete(column.name)
    }
    columns = next
    lineage = fieldOf
    const shapes: TableShape[] = [
      {
        name: 'a',
        primaryKey: 'rid',
        columns,
        indexes: randomIndexes(columns, random),
        system: false,
      },
    ]
    if (random.chance(0.5)) {
      shapes.push({ name: 'b', primaryKey: 'rid', columns: [], indexes: [], system: false })
    }
    yield { shapes, lineage, allowDrop: random.chance(0.2) }
  }
}

/** A done rename may stay in the YAML while no other field has the old name. */
function keptRename(column: ColumnShape, taken: ReadonlySet<string>): Partial<ColumnShape> {
  const { renamedFrom } = column
  return renamedFrom === undefined || taken.has(renamedFrom) ? {} : { renamedFrom }
}

function randomIndexes(columns: readonly ColumnShape[], random: Random): IndexShape[] {
  return columns
    .filter(() => random.chance(0.5))
    .map(({ name }) => ({
      name: `ix_a_${name}`,
      columns: random.chance(0.5) ? [name] : [name, 'rid'],
      unique: false,
      ...(random.chance(0.3) ? { whereNotNull: name } : {}),
    }))
}

function shuffled(names: readonly string[], random: Random): string[] {
  return names
    .map((name) => ({ name, at: random.next() }))
    .sort((a, b) => a.at - b.at)
    .map(({ name }) => name)
}

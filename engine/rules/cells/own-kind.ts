import { textHash } from '../../base/dice.ts'
import { conjuncts } from '../../expression/tree/analyse.ts'
import type { Environment, FieldNode, Node } from '../../expression/tree/types.ts'
import type { RowOrigin } from '../base/source-rows.ts'

/**
 * Keys of the records of one DocType, or of one table: a transaction that writes thousands, such as the lines of a bank statement,
 * holds so many at most. PostgreSQL has room for some 6,400 locks of all transactions (max_locks_per_transaction).
 */
const PLACES = 256

/** DocType in which a search stands, and the table of its row. */
export interface Seeker {
  readonly doctype: string
  readonly table: string | undefined
}

/**
 * Key of those records of a search among records of its own DocType that may find each other: the values of which its
 * condition says that they are the same in both. Who holds it is alone with what it looks at, so that of two that exclude each
 * other and are written at the same instant one finds the other.
 *
 *     where: employee == this.employee && name != this.name && from_date <= this.to_date
 *     alone with Shift Assignment 97        the place of HR-EMP-00001 among 256
 *
 * Where nothing is the same, all records of the DocType have one key. Undefined for a search among others, for one of the
 * record itself (`name == this.name`), and for one by values that stand in different fields (`row_id == this.advance_row`): it looks
 * for what is there already.
 */
export function ownKindKey(
  { source, sourceTable }: RowOrigin,
  { doctype, table }: Seeker,
  condition: Node,
): ((environment: Environment) => string) | undefined {
  if (source.doctype !== doctype) return undefined
  const pairs = new Map([
    [sourceTable === undefined ? 'doc' : 'document', table === undefined ? 'this' : 'parent'],
  ])
  if (sourceTable !== undefined && sourceTable === table) pairs.set('doc', 'this')
  const equalities = conjuncts(condition).flatMap(equalityOf)
  const same = equalities.flatMap(([one, other]) => {
    const [theirs, ours] = pairs.has(one.of) ? [one, other] : [other, one]
    return theirs.name === ours.name && pairs.get(theirs.of) === ours.of ? [ours] : []
  })
  if (same.length === 0 && equalities.some((pair) => pair.some(({ of }) => isSeeker(of))))
    return undefined
  if (same.some(({ name }) => name === 'name' || name === source.idField)) return undefined
  const kind = sourceTable === undefined ? doctype : `${doctype}.${sourceTable}`
  return ({ records }) => {
    const values = same.map(({ of, name }) => String(records[of]?.[name] ?? ''))
    return `alone with ${kind} ${(textHash(values.join('\0')) >>> 0) % PLACES}`
  }
}

function equalityOf(node: Node): readonly (readonly [FieldNode, FieldNode])[] {
  if (node.node !== 'binary' || node.op !== '==') return []
  const { left, right } = node
  return left.node === 'field' && right.node === 'field' ? [[left, right]] : []
}

function isSeeker(of: string): boolean {
  return of === 'this' || of === 'parent'
}

import type { DocTypeDefinition } from '../../definition/model/definition.ts'
import { compileExpression } from '../../expression/expression.ts'
import type { ColumnOf } from '../../expression/sql/sql-fragment.ts'
import { toSqlCondition } from '../../expression/sql/to-sql.ts'
import type { Problem } from '../../expression/tree/problem.ts'
import { documentScope } from '../../expression/tree/scope.ts'
import type { Node } from '../../expression/tree/types.ts'
import { fieldType } from '../../fields/index.ts'
import type { DatabaseKind } from '../database/database.ts'
import type { IndexCondition } from './shape.ts'

const COMPARISONS: ReadonlySet<string> = new Set(['==', '!=', '<', '<=', '>', '>='])
const ALWAYS_SET: ReadonlySet<string> = new Set([
  'name',
  'owner',
  'created',
  'modified',
  'docstatus',
])

/**
 * Problem of a condition that an index cannot have, since it must say the same of a row for ever: anything but stored
 * fields compared with literals, joined by &&. undefined when there is none.
 */
export function indexProblem(node: Node): Problem | undefined {
  if (node.node === 'binary' && node.op === '&&')
    return indexProblem(node.left) ?? indexProblem(node.right)
  if (isSimple(node)) return undefined
  const [start, end] = node.at
  const message =
    'the condition of an index compares stored fields with literals, joined by &&, e.g. docstatus < 2 && status == "Open"'
  return { offset: start, length: end - start, message }
}

function isSimple(node: Node): boolean {
  if (node.node === 'binary') {
    if (!COMPARISONS.has(node.op)) return false
    return (
      (isStored(node.left) && node.right.node === 'literal') ||
      (isStored(node.right) && node.left.node === 'literal')
    )
  }
  if (node.node === 'in')
    return isStored(node.value) && node.list.every((one) => one.node === 'literal')
  if (node.node === 'unary' && node.op === '!') return isStored(node.value)
  return isStored(node)
}

function isStored(node: Node): boolean {
  return node.node === 'field' && node.of === 'doc'
}

/**
 * A checked condition of an index as SQL without parameters. Throws TypeError for one that was never checked
 * (`indexProblem`).
 */
export function indexCondition(
  { fields }: DocTypeDefinition,
  source: string,
  kind: DatabaseKind,
): IndexCondition {
  const scope = documentScope(
    fields
      .filter(({ child }) => !child)
      .map((field) => {
        const type = fieldType(field.type)
        return { name: field.name, kind: type.kind, scale: type.scaleOf(field) }
      }),
  )
  const result = compileExpression(source, scope, { kind: 'bool', scale: 0 })
  const problem = result.ok ? indexProblem(result.expression.tree) : result.problem
  if (!result.ok || problem) throw new TypeError(`${source}: ${problem?.message}`)
  const { tree, dependencies } = result.expression
  const columns = dependencies.map((name) => (name === 'id' ? 'name' : name))
  const columnOf: ColumnOf = (of, name) =>
    of === 'doc'
      ? { sql: `"${name === 'id' ? 'name' : name}"`, nullable: !ALWAYS_SET.has(name) }
      : undefined
  const { parts, parameters } = toSqlCondition(tree, kind, columnOf)
  const sql = parts.reduce((text, part, at) => {
    const parameter = parameters[at - 1]
    if (parameter?.from !== 'constant') throw new TypeError(`${source}: reads what is not stored`)
    return `${text}'${parameter.text.replaceAll("'", "''")}'${part}`
  })
  return { sql, columns }
}

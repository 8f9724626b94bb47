import { type Command, InvalidArgumentError } from 'commander'
import { SYSTEM_ACTOR } from '../../engine/access/actor.ts'
import { explainField } from '../../engine/documents/explain/explain.ts'
import { MAX_DEPTH } from '../../engine/documents/explain/explanation.ts'
import { explanationTree } from '../explanation-tree.ts'
import { UsageError } from '../failure.ts'
import { resourceOf } from '../resource.ts'
import { printJson } from '../terminal/output.ts'
import { addWorkspaceOptions, type WorkspaceFlags, withReadable } from '../workspace.ts'

interface ExplainFlags extends WorkspaceFlags {
  readonly depth: number
  readonly limit: number
  readonly json?: boolean
}

const MOST_RECORDS = 100

/** `svc explain`: why a field of a record has its value, as a tree (contract §7.2). */
export function register(program: Command): void {
  addWorkspaceOptions(program.command('explain'))
    .description('say why a field of a record has its value')
    .argument('<record>', 'resource and id, e.g. sales-invoices/SINV-2026-00001')
    .argument('<field>', 'a field, or a column of a row: items.<row_id>.amount or items[0].amount')
    .option(
      '--depth <levels>',
      `levels of inputs that are explained, 1 to ${MAX_DEPTH}`,
      upTo(MAX_DEPTH),
      3,
    )
    .option(
      '--limit <records>',
      `most records of a list, 1 to ${MOST_RECORDS}`,
      upTo(MOST_RECORDS),
      20,
    )
    .option('--json', 'print what GET /v1/{resource}/{id}/explain/{field} answers')
    .action(run)
}

function upTo(most: number): (text: string) => number {
  return (text) => {
    const value = /^\d{1,4}$/.test(text) ? Number(text) : 0
    if (value >= 1 && value <= most) return value
    throw new InvalidArgumentError(`expected a number from 1 to ${most}`)
  }
}

async function run(record: string, field: string, flags: ExplainFlags): Promise<void> {
  const slash = record.indexOf('/')
  if (slash < 1 || slash === record.length - 1)
    throw new UsageError(
      `expected a resource and an id such as sales-invoices/SINV-2026-00001, got ${JSON.stringify(record)}`,
    )
  const explanation = await withReadable(flags, async (engine) => {
    const definition = resourceOf(engine, record.slice(0, slash))
    const context = engine.context(SYSTEM_ACTOR, await engine.tier())
    const { depth, limit } = flags
    return explainField(context, definition, record.slice(slash + 1), field, { depth, limit })
  })
  if (flags.json) printJson(explanation)
  else console.log(explanationTree(explanation))
}

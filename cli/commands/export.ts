import { once } from 'node:events'
import { type Command, Option } from 'commander'
import { SYSTEM_ACTOR } from '../../engine/access/actor.ts'
import { AppError } from '../../engine/base/errors.ts'
import type { DocTypeDefinition } from '../../engine/definition/definition.ts'
import { listDocuments } from '../../engine/documents/list.ts'
import type { Engine } from '../../engine/index.ts'
import { shownFields } from '../../engine/schema/doctype-schemas.ts'
import { readListQuery } from '../../server/list-params.ts'
import { FORMATS, type Format, recordFormat } from '../export/format.ts'
import { UsageError } from '../failure.ts'
import { addWorkspaceOptions, collect, type WorkspaceFlags, withWorkspace } from '../workspace.ts'

interface ExportFlags extends WorkspaceFlags {
  readonly format: Format
  readonly filter?: readonly string[]
}

/** Records of one page. */
const PAGE = 100

/** `svc export`: all records of a resource, whatever the plan of the workspace is. */
export function register(program: Command): void {
  addWorkspaceOptions(program.command('export <resource>'))
    .description('write the records of a resource to stdout, in the order they were made')
    .addOption(
      new Option('--format <format>', 'one record a line, a list, or a table')
        .choices(FORMATS)
        .default('jsonl'),
    )
    .option('--filter <field=value>', 'as in GET /v1/{resource}; may be repeated', collect)
    .action(run)
}

async function run(resource: string, flags: ExportFlags): Promise<void> {
  const count = await withWorkspace(flags, async (engine) => {
    const definition = engine.services.registry.bySlug(resource)
    if (!definition)
      throw new UsageError(
        `there is no resource ${JSON.stringify(resource)}; \`svc doctype list\` names all`,
      )
    return exportAll(engine, definition, flags)
  })
  console.error(`${count} ${count === 1 ? 'record' : 'records'}`)
}

/** A page in memory at a time; the reader of stdout sets the pace. */
async function exportAll(
  engine: Engine,
  definition: DocTypeDefinition,
  { format, filter = [] }: ExportFlags,
): Promise<number> {
  const fields = shownFields(definition).map(({ name }) => name)
  const form = recordFormat(format, fields)
  const context = engine.context(SYSTEM_ACTOR, await engine.tier())
  let count = 0
  let cursor: string | undefined = ''
  await print(form.head)
  while (cursor !== undefined) {
    const query = queryOf(engine, definition, [
      ...filter.map(pairOf),
      ['fields', fields.join(',')],
      ['sort', 'created'],
      ['order', 'asc'],
      ['limit', String(PAGE)],
      ['cursor', cursor],
    ])
    const page = await listDocuments(context, definition, query)
    await print(page.data.map((record, at) => form.record(record, count + at)).join(''))
    count += page.data.length
    cursor = page.nextCursor
    progress(count, cursor === undefined)
  }
  await print(form.foot)
  return count
}

function queryOf(
  { services }: Engine,
  definition: DocTypeDefinition,
  parameters: readonly (readonly [string, string])[],
): ReturnType<typeof readListQuery> {
  try {
    return readListQuery(services.registry, definition, parameters)
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    const problems = error.details?.map(({ field, message }) => `${field}: ${message}`)
    throw new UsageError(`--filter: ${problems?.join('; ') ?? error.message}`, { cause: error })
  }
}

function pairOf(text: string): readonly [string, string] {
  const at = text.indexOf('=')
  if (at <= 0) throw new UsageError(`--filter: expected field=value, got ${JSON.stringify(text)}`)
  return [text.slice(0, at), text.slice(at + 1)]
}

async function print(text: string): Promise<void> {
  if (text !== '' && !process.stdout.write(text)) await once(process.stdout, 'drain')
}

function progress(count: number, isDone: boolean): void {
  if (!process.stderr.isTTY || process.stdout.isTTY) return
  process.stderr.write(isDone ? '\r' : `\r${count} records …`)
}

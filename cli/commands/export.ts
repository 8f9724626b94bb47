import { extname } from 'node:path'
import { type Command, Option } from 'commander'
import { SYSTEM_ACTOR } from '../../engine/access/actor.ts'
import { AppError } from '../../engine/base/errors.ts'
import type { DocTypeDefinition } from '../../engine/definition/model/definition.ts'
import { listDocuments } from '../../engine/documents/lists/list.ts'
import type { Engine } from '../../engine/index.ts'
import { logExport } from '../../server/auth/security-log.ts'
import { recordFormat } from '../../server/export/format.ts'
import { selectionOf } from '../../server/export/selection.ts'
import { readListQuery } from '../../server/http/list-params.ts'
import { FORMATS, type Format } from '../../server/import/format.ts'
import { withOutput } from '../export/output.ts'
import { UsageError } from '../failure.ts'
import { resourceOf } from '../resource.ts'
import { counted, printJson } from '../terminal/output.ts'
import { startProgress } from '../terminal/progress.ts'
import { addWorkspaceOptions, collect, type WorkspaceFlags, withReadable } from '../workspace.ts'

interface ExportFlags extends WorkspaceFlags {
  readonly format?: Format
  readonly filter?: readonly string[]
  readonly fields?: string
  readonly out?: string
  readonly json?: boolean
}

/** Records of one page. */
const PAGE = 100

/** `svc export`: all records of a resource, whatever the plan of the workspace is. */
export function register(program: Command): void {
  addWorkspaceOptions(program.command('export <resource>'))
    .description('write the records of a resource to stdout, in the order they were made')
    .addOption(
      new Option(
        '--format <format>',
        'one record a line, a list, or a table (default jsonl, or what --out ends with)',
      ).choices(FORMATS),
    )
    .option('--filter <field=value>', 'as in GET /v1/{resource}; may be repeated', collect)
    .option('--fields <names>', 'only these fields, beside id and name: customer,items,taxes.rate')
    .option('--out <file>', 'file to write instead of stdout')
    .option('--json', 'with --out: print {records, format, out}')
    .action(run)
}

async function run(resource: string, flags: ExportFlags): Promise<void> {
  const { out } = flags
  if (flags.json && out === undefined)
    throw new UsageError('--json: stdout has the records; name a file for them with --out')
  const format = flags.format ?? formatOf(out)
  const records = await withReadable(flags, async (engine, isCopy) => {
    const definition = resourceOf(engine, resource)
    const count = await exportAll(engine, definition, format, flags)
    if (!isCopy) await logExport(engine.services, SYSTEM_ACTOR, definition.slug, format)
    return count
  })
  if (flags.json) printJson({ records, format, out })
  else console.error(counted(records, 'record'))
}

function formatOf(out: string | undefined): Format {
  const extension = extname(out ?? '').slice(1)
  return FORMATS.find((format) => format === extension) ?? 'jsonl'
}

/** A page in memory at a time; who takes the text sets the pace. */
async function exportAll(
  engine: Engine,
  definition: DocTypeDefinition,
  format: Format,
  { filter = [], fields, out }: ExportFlags,
): Promise<number> {
  const selection = asUsage('--fields', () => selectionOf(definition, fields))
  const names = [...selection.own, ...selection.tables.map(({ field }) => field)].map(
    ({ name }) => name,
  )
  const parameters = [
    ...filter.map(pairOf),
    ['fields', names.join(',')],
    ['sort', 'created'],
    ['order', 'asc'],
    ['limit', String(PAGE)],
  ] as const
  const pageQuery = (cursor: string): ReturnType<typeof readListQuery> =>
    queryOf(engine, definition, [...parameters, ['cursor', cursor]])
  let query: ReturnType<typeof readListQuery> | undefined = pageQuery('')
  const form = recordFormat(format, selection)
  const context = engine.context(SYSTEM_ACTOR, await engine.tier())
  const bar = startProgress({ label: 'exported' })
  return withOutput(out, async (put) => {
    let count = 0
    await put(form.head)
    while (query) {
      const page = await listDocuments(context, definition, query)
      await put(page.data.map((record, at) => form.record(record, count + at)).join(''))
      count += page.data.length
      if (out !== undefined || !process.stdout.isTTY) bar.show(count, undefined, 'records')
      query = page.nextCursor === undefined ? undefined : pageQuery(page.nextCursor)
    }
    await put(form.foot)
    return count
  }).finally(bar.clear)
}

function queryOf(
  { services }: Engine,
  definition: DocTypeDefinition,
  parameters: readonly (readonly [string, string])[],
): ReturnType<typeof readListQuery> {
  return asUsage('--filter', () => readListQuery(services, definition, parameters))
}

/** What a refusal says, as a wrong use of an option. */
function asUsage<T>(option: string, read: () => T): T {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    const problems = error.details?.map(({ field, message }) =>
      option === `--${field}` ? message : `${field}: ${message}`,
    )
    throw new UsageError(`${option}: ${problems?.join('; ') ?? error.message}`, { cause: error })
  }
}

function pairOf(text: string): readonly [string, string] {
  const at = text.indexOf('=')
  if (at <= 0) throw new UsageError(`--filter: expected field=value, got ${JSON.stringify(text)}`)
  return [text.slice(0, at), text.slice(at + 1)]
}

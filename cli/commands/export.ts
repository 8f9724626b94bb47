import { extname, resolve } from 'node:path'
import { type Command, Option } from 'commander'
import { SYSTEM_ACTOR } from '../../engine/access/actor.ts'
import { AppError } from '../../engine/base/errors.ts'
import type { DocTypeDefinition } from '../../engine/definition/model/definition.ts'
import type { Engine } from '../../engine/index.ts'
import { logExport } from '../../server/auth/security-log.ts'
import { recordFormat } from '../../server/export/format.ts'
import { selectionOf } from '../../server/export/selection.ts'
import { FORMATS, type Format } from '../../server/import/format.ts'
import { withOutput } from '../export/output.ts'
import { recordPages } from '../export/record-pages.ts'
import { UsageError } from '../failure.ts'
import { resourceOf } from '../resource.ts'
import { settingsOf } from '../settings.ts'
import { counted, printJson } from '../terminal/output.ts'
import { startProgress } from '../terminal/progress.ts'
import {
  addWorkspaceOptions,
  collect,
  type WorkspaceFlags,
  withReadable,
  workspaceOf,
} from '../workspace.ts'
import { filesAt } from '../workspace-uploads.ts'

interface ExportFlags extends WorkspaceFlags {
  readonly format?: Format
  readonly filter?: readonly string[]
  readonly fields?: string
  readonly out?: string
  readonly force?: boolean
  readonly json?: boolean
}

/** `svc export`: all records of a resource, or everything as one zip, whatever the plan of the workspace is. */
export function register(program: Command): void {
  addWorkspaceOptions(program.command('export <resource>'))
    .description(
      'write the records of a resource to stdout, in the order they were made; or everything into a FILE.zip',
    )
    .addOption(
      new Option(
        '--format <format>',
        'one record a line, a list, or a table (default jsonl, or what --out ends with)',
      ).choices(FORMATS),
    )
    .option('--filter <field=value>', 'as in GET /v1/{resource}; may be repeated', collect)
    .option('--fields <names>', 'only these fields, beside id and name: customer,items,taxes.rate')
    .option('--out <file>', 'file to write instead of stdout')
    .option('--force', 'with a FILE.zip: replace it where it is there')
    .option(
      '--json',
      'with --out: print {records, format, out}; with a FILE.zip {records, rows, files, definitions, out}',
    )
    .action((what: string, flags: ExportFlags) =>
      extname(what).toLowerCase() === '.zip' ? runEverything(what, flags) : run(what, flags),
    )
}

/** Everything as plain data, for who leaves or wants to read it without this program. */
async function runEverything(file: string, flags: ExportFlags): Promise<void> {
  for (const name of ['format', 'filter', 'fields', 'out'] as const)
    if (flags[name] !== undefined)
      throw new UsageError(`--${name}: is for the records of one resource; ${file} gets everything`)
  const out = resolve(file)
  const { settings } = settingsOf(flags, process.env)
  const bar = startProgress({ label: 'taken' })
  const taken = await withReadable(flags, async (engine, isCopy) => {
    const { takeEverything } = await import('../export/everything/take-everything.ts')
    const everything = {
      engine,
      workspace: workspaceOf(settings),
      contents: filesAt(settings).contents,
      onProgress: (done: number, what: string) => bar.show(done, undefined, what),
    }
    const all = await takeEverything(everything, out, flags.force === true).finally(bar.clear)
    if (!isCopy) await logExport(engine.services, SYSTEM_ACTOR, 'everything', 'zip')
    return all
  })
  const { resources, files, missing, definitions } = taken
  const sum = (key: 'records' | 'rows'): number =>
    resources.reduce((total, one) => total + one[key], 0)
  const counts = { records: sum('records'), rows: sum('rows'), files, definitions }
  if (flags.json) printJson({ ...counts, out })
  else
    console.log(
      `wrote ${out}: ${counted(counts.records, 'record')} with ${counted(counts.rows, 'row')} of tables, ${counted(files, 'file')} and ${counted(definitions, 'file')} of definitions; README.txt in it says what is where`,
    )
  if (missing.length > 0)
    console.error(
      `not in it: ${counted(missing.length, 'file')} whose content is not where files are kept`,
    )
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
  const form = recordFormat(format, selection)
  const pairs = filter.map(pairOf)
  const pages = asUsage('--filter', () => recordPages(engine, definition, selection, pairs))
  const bar = startProgress({ label: 'exported' })
  return withOutput(out, async (put) => {
    let count = 0
    await put(form.head)
    for await (const page of pages) {
      await put(page.map((record, at) => form.record(record, count + at)).join(''))
      count += page.length
      if (out !== undefined || !process.stdout.isTTY) bar.show(count, undefined, 'records')
    }
    await put(form.foot)
    return count
  }).finally(bar.clear)
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

import { basename, extname } from 'node:path'
import { type Command, Option } from 'commander'
import { SYSTEM_ACTOR } from '../../engine/access/actor.ts'
import type { DocTypeDefinition } from '../../engine/definition/model/definition.ts'
import { assertMay } from '../../engine/documents/rights/door.ts'
import type { Engine } from '../../engine/index.ts'
import { takingBack } from '../../server/import/dry-run.ts'
import { FileRefused } from '../../server/import/file-refused.ts'
import { FORMATS, type Format } from '../../server/import/format.ts'
import { linkResolver } from '../../server/import/links.ts'
import { openRecords } from '../../server/import/open-records.ts'
import { type RunOptions, runImport } from '../../server/import/run.ts'
import type { Source } from '../../server/import/source.ts'
import { upsertKey } from '../../server/import/upsert.ts'
import { Failure, UsageError } from '../failure.ts'
import { errorFile } from '../import/error-file.ts'
import { createReport, type Report } from '../import/report.ts'
import { openSource } from '../import/source.ts'
import { resourceOf } from '../resource.ts'
import { addWorkspaceOptions, type WorkspaceFlags, withWorkspace } from '../workspace.ts'

interface ImportFlags extends WorkspaceFlags {
  readonly format?: Format
  readonly upsert?: boolean
  readonly key?: string
  readonly submit?: boolean
  readonly dryRun?: boolean
  readonly errors?: string
  readonly json?: boolean
}

/** `svc import`: records of a file, through the operations of the API. */
export function register(program: Command): void {
  addWorkspaceOptions(program.command('import <resource> <file>'))
    .description(
      'create or change the records of a resource from a CSV, JSON or JSONL file (- is stdin)',
    )
    .addOption(
      new Option('--format <format>', 'what the file is, where its name does not say it').choices(
        FORMATS,
      ),
    )
    .option('--upsert', 'change the records that are there, create the others')
    .option(
      '--key <field>',
      'field that finds the records of --upsert (default id, else a unique field)',
    )
    .option('--submit', 'submit each record')
    .option('--dry-run', 'check every record and change nothing')
    .option('--errors <file>', 'where records that are refused are kept (default beside the file)')
    .option('--json', 'print what was done as JSON')
    .action(run)
}

async function run(resource: string, file: string, flags: ImportFlags): Promise<void> {
  const format = formatOf(file, flags.format)
  if (flags.key !== undefined && !flags.upsert)
    throw new UsageError('--key: only --upsert finds records; add it')
  const report = await withWorkspace(
    flags,
    (engine) =>
      importFile(engine, resourceOf(engine, resource), file, format, flags).catch(asFailure),
    'new',
  )
  report.print(flags.json === true)
  if (report.hasFailed()) process.exitCode = 1
}

/** What the file or its options are refused for, in the words of the command. */
function asFailure(error: unknown): never {
  if (!(error instanceof FileRefused)) throw error
  const { message: told, option } = error
  throw option === undefined
    ? new Failure(told, { cause: error })
    : new UsageError(`--${option}: ${told}`, { cause: error })
}

async function importFile(
  engine: Engine,
  definition: DocTypeDefinition,
  file: string,
  format: Format,
  flags: ImportFlags,
): Promise<Report> {
  const isDryRun = flags.dryRun === true
  const services = isDryRun ? takingBack(engine.services) : engine.services
  const context = { ...engine.context(SYSTEM_ACTOR, await engine.tier()), services }
  assertMay(context, definition, 'create')
  if (flags.submit && !definition.submittable)
    throw new UsageError(`--submit: ${definition.labelPlural} are not submitted`)
  let headings: readonly string[] | undefined
  const errors =
    isDryRun && flags.errors === undefined
      ? undefined
      : errorFile(flags.errors ?? errorPath(definition, file, format), () => headings)
  const source = await openSource(file)
  const report = createReport(source, { errors, isDryRun })
  try {
    const opened = await openRecords(definition, source, format, report.leftOut)
    headings = opened.headings
    const key = flags.upsert ? upsertKey(definition, flags.key, opened.has) : undefined
    const usesName = definition.naming.kind === 'prompt' || (key && !key.field)
    if (!usesName) for (const heading of opened.nameHeadings) report.leftOut(heading)
    await runUntilStopped(source, report, {
      context,
      definition,
      submit: flags.submit === true,
      key,
      records: opened.records,
      resolveLinks: linkResolver(services, definition, { isDryRun }),
    })
  } finally {
    source.close()
    errors?.close()
  }
  return report
}

/** Runs an import to its end, or to Ctrl-C; the report tells which. */
async function runUntilStopped(
  source: Source,
  report: Report,
  options: Omit<RunOptions, 'listener' | 'isStopped'>,
): Promise<void> {
  const stop = stopOnInterrupt(source)
  try {
    const broken = await runImport({ ...options, listener: report, isStopped: stop.isStopped })
    report.end(broken, stop.isStopped() ? 'interrupted' : undefined)
  } catch (error) {
    report.end(undefined, 'failed')
    throw error
  } finally {
    stop.release()
  }
}

function formatOf(file: string, asked: Format | undefined): Format {
  if (asked) return asked
  const extension = extname(file).slice(1).toLowerCase()
  const known = FORMATS.find((format) => format === extension)
  if (known) return known
  throw new UsageError(
    `--format: expected ${FORMATS.join(', ')} for ${file === '-' ? 'standard input' : JSON.stringify(file)}, whose name does not say what it is`,
  )
}

/** `customers.csv` → `customers.errors.csv` beside it; a list of JSON has its bad records as lines. */
function errorPath({ slug }: DocTypeDefinition, file: string, format: Format): string {
  const extension = format === 'csv' ? 'csv' : 'jsonl'
  if (file === '-') return `${slug}.errors.${extension}`
  const stem = file.slice(0, file.length - extname(file).length)
  return `${basename(stem) === '' ? file : stem}.errors.${extension}`
}

interface Stop {
  readonly isStopped: () => boolean
  readonly release: () => void
}

/** Ctrl-C: what is in flight is finished and nothing new is begun. A second one ends at once. */
function stopOnInterrupt(source: Source): Stop {
  let isStopped = false
  const stop = (): void => {
    isStopped = true
    source.close()
  }
  process.once('SIGINT', stop)
  return { isStopped: () => isStopped, release: () => process.off('SIGINT', stop) }
}

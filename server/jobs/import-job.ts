import { AppError, type Detail, validationError } from '../../engine/base/errors.ts'
import type { DocTypeDefinition } from '../../engine/definition/model/definition.ts'
import { assertMay } from '../../engine/documents/rights/door.ts'
import type { Context } from '../../engine/documents/work/context.ts'
import { type JobOutcome, outcomeCounts } from '../../engine/storage/workspace/job-rows.ts'
import { takingBack } from '../import/dry-run.ts'
import { FileRefused } from '../import/file-refused.ts'
import type { Incoming } from '../import/incoming.ts'
import { linkResolver } from '../import/links.ts'
import { type OpenRecords, openRecords } from '../import/open-records.ts'
import { type Listener, runImport } from '../import/run.ts'
import { upsertKey } from '../import/upsert.ts'
import type { Noted, Written } from '../import/write.ts'
import { type ImportInput, importInput, importSource } from './import-file.ts'
import type { JobRun } from './job-run.ts'

/** Brings the records of a file in, each by the operation of the API; a record's place is the line where it begins. */
export async function runImportJob(run: JobRun): Promise<object> {
  const { row, engine } = run
  const { database } = engine.services
  const input = importInput(row)
  const context = contextOf(run, input)
  const definition = importable(context, row.resource, input)
  const leftOut = new Set<string>()
  const source = importSource(database.read, row.id, input.file)
  try {
    const opened = await openImport(definition, source, input, (field) => leftOut.add(field))
    const key = input.upsert ? keyOf(definition, input, opened) : undefined
    const keeper = keeperOf(run, input, opened)
    const broken = await runImport({
      context,
      definition,
      submit: input.submit,
      key,
      note: input.dry_run ? undefined : keeper.note,
      records: keeper.ahead(),
      resolveLinks: linkResolver(context.services, definition, { isDryRun: input.dry_run }),
      listener: keeper,
      isStopped: () => false,
    })
    await keeper.rest()
    if (broken) throw lineProblem(broken.line, `${broken.message}; nothing from here on was read`)
    await run.setTotal(run.row.done)
    return await resultOf(run, input, opened, leftOut)
  } finally {
    source.close()
  }
}

/** Context in which records are written: a dry run takes each back. */
function contextOf({ context }: JobRun, { dry_run }: ImportInput): Context {
  return dry_run ? { ...context, services: takingBack(context.services) } : context
}

/** The resource of an import that the caller may make. Throws 403, 404, 422. */
export function importable(
  context: Context,
  slug: string,
  { submit }: Pick<ImportInput, 'submit'>,
): DocTypeDefinition {
  const definition = context.services.registry.bySlug(slug)
  if (!definition) throw new AppError('NOT_FOUND', `there is no resource ${JSON.stringify(slug)}`)
  assertMay(context, definition, 'create')
  if (!submit) return definition
  assertMay(context, definition, 'submit')
  if (definition.submittable) return definition
  const message = `${definition.labelPlural} are not submitted`
  throw validationError([{ field: 'submit', message, code: 'rule' }])
}

/** Begins to read a file. Throws 422 for headings that name nothing, and where the very beginning cannot be read. */
export async function openImport(
  definition: DocTypeDefinition,
  source: ReturnType<typeof importSource>,
  { format, mapping }: ImportInput,
  leftOut: (field: string) => void,
): Promise<OpenRecords> {
  try {
    return await openRecords(definition, source, format, leftOut, mapping)
  } catch (error) {
    throw error instanceof FileRefused ? fileProblem(error) : error
  }
}

/** The field that finds records. Throws 422 where the file has none. */
export function keyOf(
  definition: DocTypeDefinition,
  { key }: ImportInput,
  { has }: OpenRecords,
): ReturnType<typeof upsertKey> {
  try {
    return upsertKey(definition, key ?? undefined, has)
  } catch (error) {
    throw error instanceof FileRefused ? fileProblem(error) : error
  }
}

function fileProblem({ message, option }: FileRefused): AppError {
  return validationError([{ field: option ?? 'file', message, code: 'rule' }])
}

function lineProblem(line: number, message: string): AppError {
  return new AppError('VALIDATION_ERROR', `line ${line}: ${message}`)
}

/** What hears of an import, and says to the job how far it is. */
interface Keeper extends Listener {
  /** The records that are still to be done. */
  ahead(): AsyncGenerator<Incoming>
  /** Says that those behind the last batch are through too, which were done before. */
  rest(): Promise<void>
  note(tx: Parameters<JobRun['note']>[0], done: readonly Noted[]): Promise<void>
}

function keeperOf(run: JobRun, { dry_run }: ImportInput, opened: OpenRecords): Keeper {
  const start = run.row.place
  const headings = new Map(
    Object.entries(opened.mapping).map(([heading, field]) => [field, heading]),
  )
  let outcomes: JobOutcome[] = []
  let records = 0
  let last = start
  return {
    async *ahead() {
      for await (const incoming of opened.records) {
        if (incoming.line <= start) continue
        if (run.isDone(incoming.line)) {
          records += 1
          last = incoming.line
        } else yield incoming
      }
    },
    note: (tx, done) => run.note(tx, done.map(outcomeOf)),
    written(incoming, written) {
      records += 1
      // What was taken back has noted nothing.
      if (dry_run) outcomes.push(triedOutcome(incoming, written))
    },
    refused(incoming, details) {
      records += 1
      outcomes.push(refusedOutcome(incoming, details, headings))
    },
    async rest() {
      if (records > 0) await run.through(Math.max(last, run.row.place), records, [])
      records = 0
    },
    async batchDone({ line }) {
      const [some, of] = [outcomes, records]
      outcomes = []
      records = 0
      await run.through(line, of, some)
    },
  }
}

function outcomeOf({ line, change, id, fields }: Noted): JobOutcome {
  const before = fields === undefined ? null : JSON.stringify(fields)
  return { place: line, outcome: change, record: id, before }
}

function triedOutcome({ line }: Incoming, { change }: Written): JobOutcome {
  return { place: line, outcome: change, record: null }
}

/** Problems with the row and the column of the file that each is of. */
function refusedOutcome(
  incoming: Incoming,
  details: readonly Detail[],
  headings: ReadonlyMap<string | null, string>,
): JobOutcome {
  const problems = details.map(({ field, message, code }) => ({
    field,
    row: incoming.lineOf(field),
    column: headings.get(field.replaceAll(/\[\d+\]/g, '')) ?? null,
    message,
    code,
  }))
  return {
    place: incoming.line,
    outcome: 'refused',
    record: null,
    problems: JSON.stringify(problems),
  }
}

async function resultOf(
  { engine, row }: JobRun,
  { dry_run }: ImportInput,
  { mapping }: OpenRecords,
  leftOut: ReadonlySet<string>,
): Promise<object> {
  const counts = await outcomeCounts(engine.services.database.read, row.id)
  const [created, updated] = [counts.get('created') ?? 0, counts.get('updated') ?? 0]
  const unchanged = row.done - row.failed - created - updated
  return { created, updated, unchanged, dry_run, mapping, left_out: [...leftOut] }
}

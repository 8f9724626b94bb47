import { basename } from 'node:path'
import { createShapeCheck, type ShapeCheck } from '../../definition/grammar/shape.ts'
import { type ReportFiles, readReportFiles } from '../../definition/load/folders.ts'
import type { Registry } from '../../definition/model/registry.ts'
import { kebab } from '../../definition/normalise/slug.ts'
import type { Path } from '../../definition/yaml/parse.ts'
import { DefinitionErrors, type DefinitionProblem } from '../../definition/yaml/problems.ts'
import {
  createPlaces,
  isMap,
  type Places,
  readSource,
  type SourceFile,
  withTexts,
  type YamlMap,
} from '../../definition/yaml/source.ts'
import { createScopes, type Scopes } from '../../rules/base/scopes.ts'
import type { ReportDeclaration } from '../declare/declaration.ts'
import { plainFields } from '../declare/plain-fields.ts'
import type { Report } from '../declare/report.ts'
import { expandReport, type ReportUsing, readReportBlocks } from '../declare/report-blocks.ts'
import { withDimensions } from '../declare/report-dimensions.ts'
import { reportSchemaJson } from '../declare/report-schema.ts'
import { type Site, siteOf } from '../declare/site.ts'
import { compileReport } from './compile.ts'

type Layers = readonly (readonly SourceFile[])[]

/** The reports of a workspace; each is read and compiled at its first use. */
export interface Reports {
  /** All reports, in the order of their names. */
  readonly all: readonly Report[]
  /** All of them, with others' turns between those that are read now: the first time takes some 200 ms of the thread. */
  readAll(): Promise<readonly Report[]>
  bySlug(slug: string): Report | undefined
  /** A report by the name people know it by. */
  byName(label: string): Report | undefined
}

/**
 * The reports in `reports/` of these folders, which have been checked; one of a later folder takes the place of
 * that of the same name before it. What is asked for throws DefinitionErrors when its file was broken meanwhile.
 */
export function openReports(folders: readonly string[], registry: Registry): Reports {
  const { layers, blocks } = readReportFiles(folders)
  const files = new Map(layers.flat().map((file) => [slugOfFile(file), file] as const))
  const { compile } = compiler(registry, blocks, createScopes(registry))
  const made = new Map<string, Report>()

  function bySlug(slug: string): Report | undefined {
    const file = files.get(slug)
    const known = made.get(slug)
    if (known || !file) return known
    const { report, problems } = compile(file)
    if (!report || problems.length > 0) throw new DefinitionErrors(problems)
    made.set(slug, report)
    return report
  }

  const slugs = [...files.keys()].sort()

  return {
    get all() {
      return slugs.map((slug) => bySlug(slug)!)
    },
    async readAll() {
      for (const slug of slugs.filter((one) => !made.has(one))) {
        bySlug(slug)
        await new Promise((next) => setImmediate(next))
      }
      return this.all
    },
    bySlug,
    byName: (label) => bySlug(kebab(label)),
  }
}

/**
 * Throws DefinitionErrors with every mistake in the texts of reports, and in the blocks for them. `scopes` may be those
 * that the DocTypes were compiled with.
 */
export function checkReportTexts(
  { layers, blocks, problems: found }: ReportFiles,
  registry: Registry,
  scopes: Scopes = createScopes(registry),
): void {
  const { compile, blockProblems } = compiler(registry, blocks, scopes)
  const problems = [
    ...found,
    ...blockProblems(),
    ...layers.flat().flatMap((file) => compile(file).problems),
  ]
  if (problems.length > 0) throw new DefinitionErrors(problems)
}

/** The report that a file would be beside those of these folders; throws DefinitionErrors with every mistake in it. */
export function reportOfFile(
  folders: readonly string[],
  registry: Registry,
  file: SourceFile,
): Report {
  const { blocks } = readReportFiles(folders)
  const { report, problems } = compiler(registry, blocks, createScopes(registry)).compile(file)
  if (!report || problems.length > 0) throw new DefinitionErrors(problems)
  return report
}

function slugOfFile({ path }: SourceFile): string {
  return basename(path).replace(/\.ya?ml$/i, '')
}

/** A report with every mistake in its file; where there is one, it must not be asked. */
interface CompiledReport {
  readonly report: Report | undefined
  readonly problems: readonly DefinitionProblem[]
}

/** Compiler of reports, and the mistakes in the blocks that they may use. */
interface Compiler {
  compile(file: SourceFile): CompiledReport
  blockProblems(): readonly DefinitionProblem[]
}

function compiler(registry: Registry, blockFiles: Layers, scopes: Scopes): Compiler {
  const { vocabulary } = registry
  const checkShape = createShapeCheck(reportSchemaJson(vocabulary))
  const world = { registry, scopes, plain: plainFields(scopes) }
  const dimensions = registry.all.flatMap(({ dimension }) => dimension ?? [])
  const places = createPlaces()
  let read: {
    readonly using: Omit<ReportUsing, 'problems'>
    readonly problems: DefinitionProblem[]
  }
  const blocks = (): typeof read => {
    if (!read) {
      const problems: DefinitionProblem[] = []
      read = { using: readReportBlocks(blockFiles, vocabulary, places, problems), problems }
    }
    return read
  }

  function compile(file: SourceFile): CompiledReport {
    const problems: DefinitionProblem[] = []
    const data = dataOf(file, checkShape, places, problems)
    if (!data) return { report: undefined, problems }
    const written = expandReport(file, data, { ...blocks().using, problems })
    const site = siteOf(written, places, world, problems)
    if (written.data.columns === undefined)
      site.complain(['use'], 'no block of these has columns; write the key columns', 'key')
    if (problems.length > 0) return { report: undefined, problems }
    const declared = withDimensions(written.data, dimensions) as unknown as ReportDeclaration
    // It is looked for by its address, and only read when it is found.
    const slug = kebab(declared.report)
    if (slugOfFile(file) !== slug)
      site.complain(['report'], `expected its file to be called ${slug}.yaml`)
    const report = compileReport(site, declared)
    checkLets(site, declared)
    return { report, problems }
  }

  return { compile, blockProblems: () => blocks().problems }
}

/** Reports lets that are called like something else of the report, and those that nothing uses. */
function checkLets(site: Site, declared: ReportDeclaration): void {
  const queries = Object.values(declared.with ?? {})
  const taken = [
    declared.params,
    declared.with,
    ...[...queries, declared].map((one) => one.columns),
  ]
  const names = new Set(taken.flatMap((words) => Object.keys(words ?? {})))
  const unused = new Set(site.unusedLets())
  for (const name of Object.keys(declared.let ?? {})) {
    const path = ['let', name]
    if (names.has(name) || name === 'param' || name === 'document')
      site.complain(
        path,
        `a let cannot be called ${name}: the report has something of that name`,
        'key',
      )
    else if (unused.has(name)) site.complain(path, `nothing uses the let ${name}; remove it`, 'key')
  }
}

/** What a report's file says; undefined where its shape is wrong, which is told. */
function dataOf(
  file: SourceFile,
  checkShape: ShapeCheck,
  places: Places,
  problems: DefinitionProblem[],
): YamlMap | undefined {
  const { data, problems: syntax } = readSource(file)
  problems.push(...syntax)
  if (syntax.length > 0) return undefined
  const literals: Path[] = []
  const shape = checkShape(data, (path) => literals.push(path))
  for (const { path, part, message } of shape)
    problems.push({ file: file.path, ...places.at(file, path, part), message })
  if (shape.length > 0 || !isMap(data)) return undefined
  return withTexts(data, literals)
}

import { basename } from 'node:path'
import { readReportFiles } from '../definition/folders.ts'
import { DefinitionErrors, type DefinitionProblem } from '../definition/problems.ts'
import type { Registry } from '../definition/registry.ts'
import { createShapeCheck } from '../definition/shape.ts'
import { kebab } from '../definition/slug.ts'
import { createPlaces, isMap, readSource, type SourceFile } from '../definition/source.ts'
import { createScopes } from '../rules/scopes.ts'
import { compileReport } from './compile.ts'
import type { ReportDeclaration } from './declaration.ts'
import type { Report } from './report.ts'
import { reportSchemaJson } from './report-schema.ts'
import { siteOf } from './site.ts'

type Layers = readonly (readonly SourceFile[])[]

/** The reports of a workspace; each is read and compiled at its first use. */
export interface Reports {
  /** All of them, in the order of their names. */
  readonly all: readonly Report[]
  bySlug(slug: string): Report | undefined
  /** By the name people know it by. */
  byName(label: string): Report | undefined
}

/**
 * The reports in `reports/` of these folders, which have been checked; one of a later folder takes the place of
 * that of the same name before it. What is asked for throws DefinitionErrors when its file was broken meanwhile.
 */
export function openReports(folders: readonly string[], registry: Registry): Reports {
  const files = new Map(
    readReportFiles(folders).layers.flatMap((layer) =>
      layer.map((file) => [slugOfFile(file), file] as const),
    ),
  )
  const compile = compiler(registry)
  const made = new Map<string, Report>()

  function bySlug(slug: string): Report | undefined {
    const file = files.get(slug)
    const known = made.get(slug)
    if (known || !file) return known
    const problems: DefinitionProblem[] = []
    const report = compile(file, problems)
    if (!report || problems.length > 0) throw new DefinitionErrors(problems)
    made.set(slug, report)
    return report
  }

  return {
    get all() {
      return [...files.keys()].sort().map((slug) => bySlug(slug)!)
    },
    bySlug,
    byName: (label) => bySlug(kebab(label)),
  }
}

/** Throws DefinitionErrors with every mistake in the reports of these folders. */
export function checkReports(folders: readonly string[], registry: Registry): void {
  const { layers, problems } = readReportFiles(folders)
  checkReportTexts(layers, registry, problems)
}

/** The same of texts. */
export function checkReportTexts(
  layers: Layers,
  registry: Registry,
  found: readonly DefinitionProblem[] = [],
): void {
  const problems = [...found]
  const compile = compiler(registry)
  for (const file of layers.flat()) compile(file, problems)
  if (problems.length > 0) throw new DefinitionErrors(problems)
}

function slugOfFile({ path }: SourceFile): string {
  return basename(path).replace(/\.ya?ml$/i, '')
}

type Compile = (file: SourceFile, problems: DefinitionProblem[]) => Report | undefined

function compiler(registry: Registry): Compile {
  const checkShape = createShapeCheck(reportSchemaJson())
  const world = { registry, scopes: createScopes(registry) }
  return (file, problems) => {
    const declared = declaredIn(file, checkShape, problems)
    if (!declared) return undefined
    const site = siteOf(file, world, problems)
    // It is looked for by its address, and only read when it is found.
    const slug = kebab(declared.report)
    if (slugOfFile(file) !== slug)
      site.complain(['report'], `expected its file to be called ${slug}.yaml`)
    return compileReport(site, declared)
  }
}

function declaredIn(
  file: SourceFile,
  checkShape: ReturnType<typeof createShapeCheck>,
  problems: DefinitionProblem[],
): ReportDeclaration | undefined {
  const { data, problems: syntax } = readSource(file)
  problems.push(...syntax)
  if (syntax.length > 0) return undefined
  const shape = checkShape(data)
  const places = createPlaces()
  for (const { path, part, message } of shape)
    problems.push({ file: file.path, ...places.at(file, path, part), message })
  return shape.length === 0 && isMap(data) ? (data as unknown as ReportDeclaration) : undefined
}

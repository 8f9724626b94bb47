import { readReportFiles } from '../definition/folders.ts'
import type { DefinitionProblem } from '../definition/problems.ts'
import { DefinitionErrors } from '../definition/problems.ts'
import type { Registry } from '../definition/registry.ts'
import { createShapeCheck } from '../definition/shape.ts'
import { createPlaces, isMap, readSource, type SourceFile } from '../definition/source.ts'
import { createScopes } from '../rules/scopes.ts'
import { compileReport } from './compile.ts'
import type { ReportDeclaration } from './declaration.ts'
import type { Report } from './report.ts'
import { reportSchemaJson } from './report-schema.ts'
import { siteOf } from './site.ts'

/** The reports of a workspace, in the order of their names. */
export interface Reports {
  readonly all: readonly Report[]
  bySlug(slug: string): Report | undefined
  byName(label: string): Report | undefined
}

/**
 * Loads the reports in `reports/` of these folders; one of a later folder takes the place of that of the same
 * name before it. Throws DefinitionErrors with every mistake of every file.
 */
export function loadReports(folders: readonly string[], registry: Registry): Reports {
  const { layers, problems } = readReportFiles(folders)
  return reportsOf(layers, registry, problems)
}

/** The same from texts. */
export function reportsOf(
  layers: readonly (readonly SourceFile[])[],
  registry: Registry,
  found: readonly DefinitionProblem[] = [],
): Reports {
  const problems = [...found]
  const checkShape = createShapeCheck(reportSchemaJson())
  const world = { registry, scopes: createScopes(registry) }
  const reports = new Map<string, Report>()
  for (const files of layers) {
    const own = new Map<string, SourceFile>()
    for (const file of files) {
      const declared = declaredIn(file, checkShape, problems)
      if (!declared) continue
      const site = siteOf(file, world, problems)
      const report = compileReport(site, declared)
      if (!report) continue
      const twin = own.get(report.slug)
      if (twin)
        site.complain(['report'], `${report.label} is already declared in ${twin.path}; remove one`)
      own.set(report.slug, file)
      reports.set(report.slug, report)
    }
  }
  if (problems.length > 0) throw new DefinitionErrors(problems)
  const all = [...reports.values()].sort((a, b) => (a.label < b.label ? -1 : 1))
  const byName = new Map(all.map((report) => [report.label, report]))
  return {
    all,
    bySlug: (slug) => reports.get(slug),
    byName: (label) => byName.get(label),
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
  const places = createPlaces()
  const shape = checkShape(data)
  for (const { path, part, message } of shape)
    problems.push({ file: file.path, ...places.at(file, path, part), message })
  return shape.length === 0 && isMap(data) ? (data as unknown as ReportDeclaration) : undefined
}

import { basename } from 'node:path'
import { suggest } from '../../base/suggest.ts'
import { readWorkspaceFiles } from '../../definition/load/folders.ts'
import type { Registry } from '../../definition/model/registry.ts'
import type { Path } from '../../definition/yaml/parse.ts'
import { DefinitionErrors, type DefinitionProblem } from '../../definition/yaml/problems.ts'
import { createPlaces, isMap, readSource, type YamlMap } from '../../definition/yaml/source.ts'
import { publicField } from '../../fields/public-fields.ts'
import type { Reports } from '../compile/load.ts'
import { workspacesOfModules } from './of-module.ts'
import type { Card, ChartOf, Shortcut, Workspace } from './workspace.ts'

/** Tells of a mistake at a path of the file. */
type Tell = (path: Path, message: string, part?: 'key' | 'value') => void

const KEYS = ['label', 'icon', 'roles', 'cards', 'shortcuts', 'charts']

/**
 * The workspaces of a workspace's folders: those that follow from its modules, and those of `workspaces/<name>.yaml`, which take
 * the place of the one of that name, part by part. Throws DefinitionErrors with every mistake and its place.
 *
 *     label: Selling
 *     roles: [Sales User]
 *     cards: [{label: Late orders, resource: sales-orders, filter: status=Overdue, sum: grand_total}]
 *     shortcuts: [customers, {report: sales-register}, {label: My leads, resource: leads, filter: status=Lead}]
 *     charts: [sales-analytics]
 */
export function loadWorkspaces(
  folders: readonly string[],
  registry: Registry,
  reports: Reports,
): readonly Workspace[] {
  const found = new Map(workspacesOfModules(registry, reports.all).map((one) => [one.name, one]))
  const { files, problems: unread } = readWorkspaceFiles(folders)
  const problems: DefinitionProblem[] = [...unread]
  for (const file of files) {
    const name = basename(file.path).replace(/\.ya?ml$/i, '')
    const { data, problems: broken } = readSource(file)
    problems.push(...broken)
    if (broken.length > 0) continue
    const tell: Tell = (path, message, part = 'value') =>
      problems.push({ file: file.path, ...createPlaces().at(file, [...path], part), message })
    if (!isMap(data)) tell([], `expected a map with ${KEYS.join(', ')}`)
    else found.set(name, readWorkspace(name, data, found.get(name), { registry, reports, tell }))
  }
  if (problems.length > 0) throw new DefinitionErrors(problems)
  return [...found.values()]
}

interface Scene {
  readonly registry: Registry
  readonly reports: Reports
  readonly tell: Tell
}

function readWorkspace(
  name: string,
  data: YamlMap,
  before: Workspace | undefined,
  scene: Scene,
): Workspace {
  const { tell } = scene
  for (const key of Object.keys(data))
    if (!KEYS.includes(key)) tell([key], `unknown key; expected one of ${KEYS.join(', ')}`, 'key')
  const roles = data.roles === undefined ? before?.roles : texts(data.roles, ['roles'], tell)
  const listed = <T>(key: string, read: (value: unknown, path: Path) => T | undefined) =>
    items(data[key], [key], tell).flatMap((value, at) => read(value, [key, at]) ?? [])
  return {
    name,
    label: data.label === undefined ? (before?.label ?? name) : text(data.label, ['label'], tell),
    icon: data.icon === undefined ? (before?.icon ?? null) : text(data.icon, ['icon'], tell),
    ...(roles ? { roles } : {}),
    cards: data.cards === undefined ? (before?.cards ?? []) : listed('cards', cardIn(scene)),
    shortcuts:
      data.shortcuts === undefined
        ? (before?.shortcuts ?? [])
        : listed('shortcuts', shortcutIn(scene)),
    charts: data.charts === undefined ? (before?.charts ?? []) : listed('charts', chartIn(scene)),
  }
}

function cardIn({ registry, tell }: Scene) {
  return (value: unknown, path: Path): Card | undefined => {
    const given = mapOf(value, path, ['label', 'resource', 'filter', 'sum'], tell)
    const definition = given && resourceOf(registry, given.resource, [...path, 'resource'], tell)
    if (!given || !definition) return undefined
    const { sum } = given
    if (sum !== undefined && !publicField(definition, String(sum)))
      tell([...path, 'sum'], `${definition.doctype} has no field ${JSON.stringify(sum)}`)
    return {
      label: given.label === undefined ? definition.labelPlural : String(given.label),
      resource: definition.slug,
      filter: String(given.filter ?? ''),
      ...(sum === undefined ? {} : { sum: String(sum) }),
    }
  }
}

function shortcutIn({ registry, reports, tell }: Scene) {
  return (value: unknown, path: Path): Shortcut | undefined => {
    const given =
      typeof value === 'string'
        ? { resource: value }
        : mapOf(value, path, ['label', 'resource', 'report', 'filter'], tell)
    if (!given) return undefined
    const at = (key: string): Path => (typeof value === 'string' ? path : [...path, key])
    const { label, report, filter } = given as YamlMap
    if (report !== undefined) {
      const found = reportOf(reports, report, at('report'), tell)
      return found && { label: String(label ?? found.label), report: found.slug }
    }
    const found = resourceOf(registry, given.resource, at('resource'), tell)
    return (
      found && {
        label: String(label ?? found.labelPlural),
        resource: found.slug,
        ...(filter === undefined ? {} : { filter: String(filter) }),
      }
    )
  }
}

function chartIn({ reports, tell }: Scene) {
  return (value: unknown, path: Path): ChartOf | undefined => {
    const given =
      typeof value === 'string' ? { report: value } : mapOf(value, path, ['label', 'report'], tell)
    const at = typeof value === 'string' ? path : [...path, 'report']
    const found = given && reportOf(reports, given.report, at, tell)
    if (!given || !found) return undefined
    if (!found.chart) tell(at, `the report ${found.label} has no chart`)
    return { label: String((given as YamlMap).label ?? found.label), report: found.slug }
  }
}

function resourceOf(registry: Registry, slug: unknown, path: Path, tell: Tell) {
  const found = registry.bySlug(String(slug))
  if (!found)
    tell(
      path,
      `there is no resource ${named(
        slug,
        registry.all.map((one) => one.slug),
      )}`,
    )
  return found
}

function reportOf(reports: Reports, slug: unknown, path: Path, tell: Tell) {
  const found = reports.bySlug(String(slug))
  if (!found)
    tell(
      path,
      `there is no report ${named(
        slug,
        reports.all.map((one) => one.slug),
      )}`,
    )
  return found
}

function named(slug: unknown, slugs: readonly string[]): string {
  const near = suggest(String(slug), slugs)
  return `${JSON.stringify(slug)}${near === undefined ? '' : `; did you mean ${near}?`}`
}

function mapOf(
  value: unknown,
  path: Path,
  keys: readonly string[],
  tell: Tell,
): YamlMap | undefined {
  if (!isMap(value)) {
    tell(path, `expected a map with ${keys.join(', ')}`)
    return undefined
  }
  for (const key of Object.keys(value))
    if (!keys.includes(key))
      tell([...path, key], `unknown key; expected one of ${keys.join(', ')}`, 'key')
  return value
}

function items(value: unknown, path: Path, tell: Tell): readonly unknown[] {
  if (value === undefined || Array.isArray(value)) return value ?? []
  tell(path, 'expected a list')
  return []
}

function texts(value: unknown, path: Path, tell: Tell): readonly string[] {
  return items(value, path, tell).map((one, at) => text(one, [...path, at], tell))
}

function text(value: unknown, path: Path, tell: Tell): string {
  if (typeof value !== 'string' || value === '') tell(path, 'expected a text')
  return String(value)
}

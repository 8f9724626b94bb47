import { basename } from 'node:path'
import { nearest } from '../../base/suggest.ts'
import { readWorkspaceFiles } from '../../definition/load/folders.ts'
import type { Registry } from '../../definition/model/registry.ts'
import type { Path } from '../../definition/yaml/parse.ts'
import { DefinitionErrors, type DefinitionProblem } from '../../definition/yaml/problems.ts'
import { createPlaces, isMap, readSource, type YamlMap } from '../../definition/yaml/source.ts'
import type { Reports } from '../compile/load.ts'
import { workspacesOfModules } from './of-module.ts'
import type { Workspace } from './workspace.ts'
import { readPage } from './workspace-pages.ts'
import {
  type Reading,
  readCard,
  readChart,
  readShortcut,
  readStep,
  type Tell,
} from './workspace-parts.ts'

const KEYS = ['label', 'icon', 'modules', 'roles', 'cards', 'shortcuts', 'charts', 'steps', 'pages']

/**
 * The workspaces of a workspace's folders: those of `workspaces/<name>.yaml`, a later folder part by part before an earlier one,
 * and those that follow from the modules that none of them takes in. Throws DefinitionErrors with every mistake and its place.
 *
 *     label: Selling
 *     modules: [crm, sales]
 *     roles: [Sales User]
 *     cards: [{label: Late orders, resource: sales-orders, filter: status=Overdue, sum: grand_total}]
 *     shortcuts: [customers, {report: sales-register}, {label: My leads, resource: leads, filter: status=Lead}]
 *     pages: [{page: pos, label: Point of Sale, parts: {items: {resource: items, fields: {price: standard_rate}}, …}}]
 *     charts: [sales-analytics, {label: Orders, resource: sales-orders, by: 'transaction_date:month', sum: base_grand_total}]
 */
export function loadWorkspaces(
  folders: readonly string[],
  registry: Registry,
  reports: Reports,
): readonly Workspace[] {
  const made = new Map(workspacesOfModules(registry, reports.all).map((one) => [one.name, one]))
  const written = new Map<string, Workspace>()
  const { files, problems: unread } = readWorkspaceFiles(folders)
  const problems: DefinitionProblem[] = [...unread]
  for (const file of files) {
    const name = basename(file.path).replace(/\.ya?ml$/i, '')
    const { data, problems: broken } = readSource(file)
    problems.push(...broken)
    if (broken.length > 0) continue
    const tell: Tell = (path, message, part = 'value') =>
      problems.push({ file: file.path, ...createPlaces().at(file, [...path], part), message })
    if (!isMap(data)) {
      tell([], `expected a map with ${KEYS.join(', ')}`)
      continue
    }
    const others = [...written.values()].filter((one) => one.name !== name)
    const modules = modulesIn(data, others, registry, tell)
    const before = written.get(name) ?? madeOf(name, modules ?? [name], made)
    const known = modules ? { ...before, modules } : before
    written.set(name, readWorkspace(data, known, { registry, reports, tell }))
  }
  if (problems.length > 0) throw new DefinitionErrors(problems)
  const taken = new Set([...written.values()].flatMap(({ modules }) => modules))
  const left = [...made.values()].filter(({ name }) => !taken.has(name) && !written.has(name))
  return [...inOrder([...written.values()], registry), ...left]
}

/** Those that were written in the order of their first module, as the menu has them. */
function inOrder(workspaces: readonly Workspace[], registry: Registry): readonly Workspace[] {
  const order = [...registry.vocabulary.modules.keys()]
  const placeOf = ({ modules }: Workspace): number => {
    const places = modules.map((module) => order.indexOf(module))
    return places.length === 0 ? order.length : Math.min(...places)
  }
  return [...workspaces].sort((one, other) => placeOf(one) - placeOf(other))
}

/** The modules that a file names; each belongs to one workspace. */
function modulesIn(
  { modules }: YamlMap,
  others: readonly Workspace[],
  registry: Registry,
  tell: Tell,
): readonly string[] | undefined {
  if (modules === undefined) return undefined
  const known = [...registry.vocabulary.modules.keys()]
  return texts(modules, ['modules'], tell).filter((module, at) => {
    const other = others.find((one) => one.modules.includes(module))
    const isKnown = known.includes(module)
    if (!isKnown)
      tell(
        ['modules', at],
        `there is no module ${JSON.stringify(module)}${nearest(module, known)}; expected one of ${known.join(', ')}`,
      )
    if (other) tell(['modules', at], `${module} belongs to the workspace ${other.name} already`)
    return isKnown && !other
  })
}

/** What a workspace of these modules has by itself. */
function madeOf(
  name: string,
  modules: readonly string[],
  made: ReadonlyMap<string, Workspace>,
): Workspace {
  const parts = modules.flatMap((module) => made.get(module) ?? [])
  return {
    name,
    label: made.get(name)?.label ?? name,
    icon: parts[0]?.icon ?? null,
    modules: parts.map((one) => one.name),
    cards: parts.flatMap(({ cards }) => cards),
    shortcuts: parts.flatMap(({ shortcuts }) => shortcuts),
    charts: parts.flatMap(({ charts }) => charts),
    steps: [],
    pages: [],
  }
}

function readWorkspace(data: YamlMap, before: Workspace, reading: Reading): Workspace {
  const { tell } = reading
  for (const key of Object.keys(data))
    if (!KEYS.includes(key)) tell([key], `unknown key; expected one of ${KEYS.join(', ')}`, 'key')
  const roles = data.roles === undefined ? before.roles : texts(data.roles, ['roles'], tell)
  const listed = <T>(
    key: string,
    known: readonly T[],
    read: (reading: Reading, value: unknown, path: Path) => T | undefined,
  ): readonly T[] =>
    data[key] === undefined
      ? known
      : items(data[key], [key], tell).flatMap((value, at) => read(reading, value, [key, at]) ?? [])
  return {
    ...before,
    label: data.label === undefined ? before.label : text(data.label, ['label'], tell),
    icon: data.icon === undefined ? before.icon : text(data.icon, ['icon'], tell),
    ...(roles ? { roles } : {}),
    cards: listed('cards', before.cards, readCard),
    shortcuts: listed('shortcuts', before.shortcuts, readShortcut),
    charts: listed('charts', before.charts, readChart),
    steps: listed('steps', before.steps, readStep),
    pages: listed('pages', before.pages, readPage),
  }
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

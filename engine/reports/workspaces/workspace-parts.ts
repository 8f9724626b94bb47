import type { Detail } from '../../base/errors.ts'
import { nearest } from '../../base/suggest.ts'
import type { DocTypeDefinition } from '../../definition/model/definition.ts'
import type { Registry } from '../../definition/model/registry.ts'
import type { Path } from '../../definition/yaml/parse.ts'
import { isMap, type YamlMap } from '../../definition/yaml/source.ts'
import { knownFields, readFilter } from '../../documents/lists/filter-text.ts'
import { readBy, readSums } from '../../documents/lists/group-text.ts'
import type { Reports } from '../compile/load.ts'
import type { Report } from '../declare/report.ts'
import type { Card, ChartOf, Shortcut, Step } from './workspace.ts'

/** Tells of a mistake at a path of the file. */
export type Tell = (path: Path, message: string, part?: 'key' | 'value') => void

/** What the parts of a workspace are read with. */
export interface Reading {
  readonly registry: Registry
  readonly reports: Reports
  readonly tell: Tell
}

/** Reads a card; undefined where it names nothing that is there. */
export function readCard(reading: Reading, value: unknown, path: Path): Card | undefined {
  const keys = ['label', 'resource', 'filter', 'sum', 'report', 'value', 'waits']
  const given = mapOf(reading, value, path, keys)
  if (!given) return undefined
  if (given.report !== undefined) {
    const of = withoutKeys(reading, given, path, ['resource', 'filter', 'sum', 'waits'], 'a report')
    const report = reportOf(reading, of.report, [...path, 'report'])
    if (!report) return undefined
    const names = report.summary.map(({ name }) => name)
    const name = String(of.value)
    if (!names.includes(name)) {
      const known = names.length === 0 ? 'it has none' : `expected one of ${names.join(', ')}`
      const message = `expected a number of the summary of ${report.label}; ${known}`
      reading.tell(of.value === undefined ? path : [...path, 'value'], message)
      return undefined
    }
    return { label: String(of.label ?? report.label), report: report.slug, value: name }
  }
  const of = withoutKeys(reading, given, path, ['value'], 'a list')
  const definition = resourceOf(reading, of.resource, [...path, 'resource'])
  if (!definition) return undefined
  const sum = sumOf(reading, definition, of.sum, [...path, 'sum'])
  if (of.waits !== undefined && typeof of.waits !== 'boolean')
    reading.tell([...path, 'waits'], 'expected true or false')
  return {
    label: String(of.label ?? definition.labelPlural),
    resource: definition.slug,
    filter: filterOf(reading, definition, of.filter, [...path, 'filter']) ?? '',
    ...(sum === undefined ? {} : { sum }),
    ...(of.waits === true ? { waits: true } : {}),
  }
}

/** Reads a shortcut; undefined where it leads nowhere. */
export function readShortcut(reading: Reading, value: unknown, path: Path): Shortcut | undefined {
  const given =
    typeof value === 'string'
      ? { resource: value }
      : mapOf(reading, value, path, ['label', 'resource', 'report', 'filter'])
  if (!given) return undefined
  const at = (key: string): Path => (typeof value === 'string' ? path : [...path, key])
  const { label, report, filter } = given as YamlMap
  if (report !== undefined) {
    withoutKeys(reading, given as YamlMap, path, ['resource', 'filter'], 'a report')
    const found = reportOf(reading, report, at('report'))
    return found && { label: String(label ?? found.label), report: found.slug }
  }
  const found = resourceOf(reading, given.resource, at('resource'))
  if (!found) return undefined
  const wanted = filterOf(reading, found, filter, at('filter'))
  return {
    label: String(label ?? found.labelPlural),
    resource: found.slug,
    ...(wanted === undefined ? {} : { filter: wanted }),
  }
}

/** Reads a chart; undefined where there is none to draw. */
export function readChart(reading: Reading, value: unknown, path: Path): ChartOf | undefined {
  const keys = ['label', 'report', 'resource', 'by', 'sum', 'filter']
  const given = typeof value === 'string' ? { report: value } : mapOf(reading, value, path, keys)
  if (!given) return undefined
  const at = (key: string): Path => (typeof value === 'string' ? path : [...path, key])
  const { label, resource } = given as YamlMap
  if (resource !== undefined) return chartOfList(reading, given as YamlMap, path)
  withoutKeys(reading, given as YamlMap, path, ['by', 'sum', 'filter'], 'a report')
  const found = reportOf(reading, given.report, at('report'))
  if (!found) return undefined
  if (!found.chart) reading.tell(at('report'), `the report ${found.label} has no chart`)
  return { label: String(label ?? found.label), report: found.slug }
}

/** Reads a step of a new workspace; undefined where it names nothing that is there. */
export function readStep(reading: Reading, value: unknown, path: Path): Step | undefined {
  const given =
    typeof value === 'string'
      ? { resource: value }
      : mapOf(reading, value, path, ['label', 'resource', 'filter', 'on'])
  if (!given) return undefined
  const at = (key: string): Path => (typeof value === 'string' ? path : [...path, key])
  const { label, resource, filter, on } = given as YamlMap
  const found = resourceOf(reading, resource, at('resource'))
  const where = on === undefined ? undefined : resourceOf(reading, on, at('on'))
  if (!found) return undefined
  const wanted = filterOf(reading, found, filter, at('filter'))
  return {
    label: String(label ?? found.labelPlural),
    resource: found.slug,
    ...(wanted === undefined ? {} : { filter: wanted }),
    ...(where ? { on: where.slug } : {}),
  }
}

function chartOfList(reading: Reading, given: YamlMap, path: Path): ChartOf | undefined {
  const of = withoutKeys(reading, given, path, ['report'], 'a list')
  const definition = resourceOf(reading, of.resource, [...path, 'resource'])
  if (!definition) return undefined
  const details: Detail[] = []
  const by = String(of.by ?? '')
  if (by === '')
    reading.tell(path, `expected by, what the ${definition.labelPlural} are counted by`)
  else readBy(knownFields(definition), by, details)
  for (const { message } of details) reading.tell([...path, 'by'], message)
  const sum = sumOf(reading, definition, of.sum, [...path, 'sum'])
  const filter = filterOf(reading, definition, of.filter, [...path, 'filter'])
  return {
    label: String(of.label ?? definition.labelPlural),
    resource: definition.slug,
    by,
    ...(sum === undefined ? {} : { sum }),
    ...(filter === undefined ? {} : { filter }),
  }
}

function sumOf(
  { tell }: Reading,
  definition: DocTypeDefinition,
  value: unknown,
  path: Path,
): string | undefined {
  if (value === undefined) return undefined
  const details: Detail[] = []
  readSums(knownFields(definition), String(value), details)
  for (const { message } of details) tell(path, message)
  return String(value)
}

/** What `today` means while a file is read: its filters are read again each time they are asked for. */
const ANY_DAY = '2000-01-01'

/** The filter of a list as an address has it, each part of it escaped; written in a file it need not be. */
export function filterOf(
  { registry, tell }: Reading,
  definition: DocTypeDefinition,
  value: unknown,
  path: Path,
): string | undefined {
  if (value === undefined) return undefined
  const details: Detail[] = []
  const names = knownFields(definition).map(({ name }) => name)
  const unknown = (name: string): string =>
    `${definition.doctype} has no field ${JSON.stringify(name)}${nearest(name, names)}`
  const pairs = [...new URLSearchParams(String(value).replaceAll('+', '%2B'))]
  for (const [name, text] of pairs)
    readFilter({ registry, today: ANY_DAY, definition, details, unknown }, name, text)
  for (const { field, message } of details) tell(path, `${field}: ${message}`)
  return pairs.map(([name, text]) => `${name}=${encodeURIComponent(text)}`).join('&')
}

/** The resource of a slug; tells where there is none. */
export function resourceOf({ registry, tell }: Reading, slug: unknown, path: Path) {
  const found = registry.bySlug(String(slug))
  const slugs = registry.all.map((one) => one.slug)
  if (!found) tell(path, `there is no resource ${named(slug, slugs)}`)
  return found
}

function reportOf({ reports, tell }: Reading, slug: unknown, path: Path): Report | undefined {
  const found = reports.bySlug(String(slug))
  const slugs = reports.all.map((one) => one.slug)
  if (!found) tell(path, `there is no report ${named(slug, slugs)}`)
  return found
}

function named(slug: unknown, slugs: readonly string[]): string {
  return `${JSON.stringify(slug)}${nearest(String(slug), slugs)}`
}

/** A map with these keys alone; tells of what is none. */
export function mapOf(
  { tell }: Reading,
  value: unknown,
  path: Path,
  keys: readonly string[],
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

/** Refuses keys that mean nothing beside others: those of a list in what is of a report, and the reverse. */
function withoutKeys(
  { tell }: Reading,
  given: YamlMap,
  path: Path,
  keys: readonly string[],
  of: string,
): YamlMap {
  for (const key of keys)
    if (given[key] !== undefined) tell([...path, key], `means nothing for ${of}`, 'key')
  return given
}

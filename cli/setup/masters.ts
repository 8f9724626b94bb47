import { AppError } from '../../engine/base/errors.ts'
import {
  listRecordSets,
  type RecordSet,
  readRecordSet,
} from '../../engine/definition/load/record-sets.ts'
import { readWorkspaceFile } from '../../engine/definition/load/workspace-file.ts'
import type { DocTypeDefinition } from '../../engine/definition/model/definition.ts'
import { isMap, type YamlMap } from '../../engine/definition/yaml/source.ts'
import { createDocument } from '../../engine/documents/operations/create.ts'
import { getDocument } from '../../engine/documents/operations/get.ts'
import { updateDocument } from '../../engine/documents/operations/update.ts'
import { type SetNames, setNames } from '../../engine/documents/record/named-records.ts'
import type { Context } from '../../engine/documents/work/context.ts'
import { Failure } from '../failure.ts'
import { type FiscalYear, fiscalYears, type YearSpan } from './fiscal-years.ts'

type MasterRecord = Readonly<Record<string, unknown>>

type MasterSet = Pick<RecordSet, 'path' | 'records' | 'also'>

/** Sets below `setup/` that a new workspace begins with. */
export interface MasterChoice {
  readonly chart: string
  /** Country whose taxes it begins with; undefined for those of no country. */
  readonly country: string | undefined
  /** Undefined makes none. */
  readonly years: YearSpan | undefined
  /** The first company, as it is created: accounts, warehouses and taxes are made as its own; else as everybody's. */
  readonly company?: MasterRecord
}

/** Name of the chart, and of the taxes, that fit everywhere. */
export const GENERAL = 'General'

/** Choice of a workspace that nobody has asked anything for yet. */
export const USUAL: MasterChoice = {
  chart: GENERAL,
  country: undefined,
  years: { start: '01-01', before: 11, after: 9 },
}

/**
 * Creates the records a new workspace starts with: those of the sets below `setup/` (countries, currencies, then
 * the company, a chart of accounts, taxes, …) and of `masters.yaml`, each in the last of these folders that has it.
 * A record that is there already stays as it is, so that an interrupted setup can be repeated. Returns how many
 * were made, the company aside. Throws Failure for a chart that no folder has.
 */
export async function createMasters(
  context: Context,
  folders: readonly string[],
  choice: MasterChoice = USUAL,
): Promise<number> {
  const today = new Date(context.services.clock.now()).toISOString().slice(0, 10)
  // The last one first, so that each but that one knows of a later one.
  const years = choice.years ? fiscalYears(choice.years, today).toReversed() : []
  const names = setNames(context.services.registry)
  let made = 0
  const makeAll = async (sets: readonly MasterSet[], owner?: Owner): Promise<void> => {
    for (const set of sets) {
      for (const [doctype, records] of Object.entries(set.records))
        made += await createAll(
          context,
          { path: set.path, doctype, names, owner },
          records.flatMap((record) => forEachYear(record, years)),
        )
      for (const [doctype, others] of Object.entries(set.also))
        for (const [name, is] of Object.entries(others)) names.rename(doctype, name, is)
    }
  }
  await makeAll(listRecordSets(folders, 'records'))
  const owner = await createOwner(context, choice.company)
  const owned = ownedSets(folders, choice)
  await makeAll(owned, owner)
  await makeAll([mastersFile(folders) ?? []].flat(), owner)
  for (const { rows } of listRecordSets(folders, 'postings'))
    await addAllRows(context, rows, names, owner)
  if (owner)
    await completeOwner(context, owner, Object.assign({}, ...owned.map(({ sets }) => sets)))
  return made
}

/** Gives records the rows of a set, as the company's own, where they have no rows yet. */
async function addAllRows(
  context: Context,
  sets: RecordSet['rows'],
  names: SetNames,
  owner: Owner | undefined,
): Promise<void> {
  for (const [doctype, named] of Object.entries(sets)) {
    const definition = context.services.registry.byDoctype(doctype)
    if (!definition) continue
    for (const [name, tables] of Object.entries(named)) {
      const record = await recordOf(context, definition, name)
      if (!record) continue
      const missing = Object.entries(tables).flatMap(([table, rows]) => {
        const field = definition.fields.find((one) => one.name === table)
        if (!field?.child || (record[table] as readonly unknown[]).length > 0) return []
        const column = field.child.fields.find((one) => one.link === owner?.definition.doctype)
        const own = owner && column ? { [column.name]: owner.name } : {}
        const resolved = names.valueFor(field, rows) as readonly MasterRecord[]
        return [[table, resolved.map((row) => ({ ...own, ...row }))]]
      })
      if (missing.length > 0)
        await updateDocument(context, definition, name, Object.fromEntries(missing))
    }
  }
}

/** A record as callers see it; undefined when there is none. */
async function recordOf(
  context: Context,
  definition: DocTypeDefinition,
  name: string,
): Promise<MasterRecord | undefined> {
  try {
    return (await getDocument(context, definition, name)).record
  } catch (error) {
    if (error instanceof AppError && error.code === 'NOT_FOUND') return undefined
    throw error
  }
}

/** The company that masters are made for. */
interface Owner {
  readonly definition: DocTypeDefinition
  readonly name: string
}

async function createOwner(
  context: Context,
  company: MasterRecord | undefined,
): Promise<Owner | undefined> {
  const definition = context.services.registry.serving('companies')
  if (!company || !definition) return undefined
  await createUnlessThere(context, definition, company)
  return { definition, name: String(company[definition.idField]) }
}

/** Sets what the sets say of the company itself, such as the accounts it posts to, where it has nothing yet. */
async function completeOwner(
  context: Context,
  { definition, name }: Owner,
  sets: YamlMap,
): Promise<void> {
  const { record } = await getDocument(context, definition, name)
  const unset = Object.entries(sets).filter(([field]) => (record[field] ?? null) === null)
  if (unset.length > 0) await updateDocument(context, definition, name, Object.fromEntries(unset))
}

/** The chart of that name. Throws Failure for one that no folder has. */
export function chartOf(folders: readonly string[], name: string): RecordSet {
  const chart = readRecordSet(folders, 'charts', name)
  if (chart) return chart
  const known = listRecordSets(folders, 'charts').map((one) => one.name)
  throw new Failure(
    `expected a chart of accounts (${known.join(', ')}), got ${JSON.stringify(name)}`,
  )
}

/** Sets of what belongs to a company, in the order they are made: what is linked to comes first. */
function ownedSets(
  folders: readonly string[],
  { chart, country }: MasterChoice,
): readonly RecordSet[] {
  return [
    chartOf(folders, chart),
    readRecordSet(folders, 'taxes', country ?? GENERAL),
    ...listRecordSets(folders, 'places'),
  ].filter((set) => set !== undefined)
}

/** Records for a record that names `{fiscal_year}`: one for each year; any other as it is. */
function forEachYear(record: MasterRecord, years: readonly FiscalYear[]): readonly MasterRecord[] {
  if (!Object.values(record).includes('{fiscal_year}')) return [record]
  return years.map((year) =>
    Object.fromEntries(
      Object.entries(record).map(([key, value]) => [
        key,
        typeof value === 'string'
          ? value.replace(/\{(\w+)\}/g, (all, name) => year[name as keyof FiscalYear] ?? all)
          : value,
      ]),
    ),
  )
}

interface Source {
  /** Path of the file, for messages. */
  readonly path: string
  readonly doctype: string
  readonly names: SetNames
  readonly owner: Owner | undefined
}

async function createAll(
  context: Context,
  { path, doctype, names, owner }: Source,
  records: readonly MasterRecord[],
): Promise<number> {
  const definition = context.services.registry.byDoctype(doctype)
  if (!definition) throw new Failure(`${path}: there is no DocType ${JSON.stringify(doctype)}`)
  const belonging = owner && belongingTo(owner, definition)
  const resolved = records.map((record) => ({
    ...belonging,
    ...names.resolved(definition, record),
  }))
  let made = 0
  for (const wave of wavesOf(definition, resolved))
    made += await createWave(context, definition, wave)
  return made
}

/** What a record of a DocType says to belong to the company; undefined where there is no such thing to say. */
function belongingTo(
  { definition: { doctype }, name }: Owner,
  { belongsTo, fields }: DocTypeDefinition,
): YamlMap | undefined {
  const field = fields.find((one) => one.name === belongsTo)
  return field?.link === doctype ? { [field.name]: name } : undefined
}

/**
 * Creates records in the order of the file, since `default_from` takes the oldest: the write queue of SQLite keeps the
 * order of what comes at once, PostgreSQL writes it at once.
 */
async function createWave(
  context: Context,
  definition: DocTypeDefinition,
  wave: readonly MasterRecord[],
): Promise<number> {
  const create = (record: MasterRecord): Promise<boolean> =>
    createUnlessThere(context, definition, record)
  if (context.services.database.kind === 'sqlite')
    return (await Promise.all(wave.map(create))).filter(Boolean).length
  let made = 0
  for (const record of wave) made += (await create(record)) ? 1 : 0
  return made
}

/** DocTypes of the records a workspace of these folders starts with. */
export function masterDoctypes(folders: readonly string[]): readonly string[] {
  const sets = [...listRecordSets(folders, 'records'), ...ownedSets(folders, USUAL)]
  const all = [...sets, ...[mastersFile(folders) ?? []].flat()]
  return all.flatMap(({ records }) => Object.keys(records))
}

/** Records of `masters.yaml`. Throws DefinitionErrors for what is no YAML, Failure for what holds something else than records. */
export function mastersFile(folders: readonly string[]): MasterSet | undefined {
  const file = readWorkspaceFile(folders, 'masters.yaml')
  if (file === undefined) return undefined
  const { path, data } = file
  if (isMap(data) && Object.values(data).every(Array.isArray))
    return { path, records: data as RecordSet['records'], also: {} }
  throw new Failure(`${path}: expected a list of records under each DocType`)
}

/** The records in groups that can be created at once: none links to another of its group. */
function wavesOf(
  { doctype, fields, idField }: DocTypeDefinition,
  records: readonly MasterRecord[],
): MasterRecord[][] {
  const links = fields.filter(({ link }) => link === doctype).map(({ name }) => name)
  const waves: MasterRecord[][] = []
  let names = new Set<unknown>()
  for (const record of records) {
    const last = waves.at(-1)
    if (last && !links.some((name) => names.has(record[name]))) last.push(record)
    else {
      waves.push([record])
      names = new Set()
    }
    names.add(record[idField])
  }
  return waves
}

/** Creates a record; false when its name is taken. */
export async function createUnlessThere(
  context: Context,
  definition: DocTypeDefinition,
  record: MasterRecord,
): Promise<boolean> {
  try {
    await createDocument(context, definition, record)
    return true
  } catch (error) {
    if (error instanceof AppError && error.code === 'CONFLICT') return false
    throw error
  }
}

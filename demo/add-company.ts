import { chartOf, mastersFile } from '../cli/setup/masters.ts'
import { SYSTEM_ACTOR } from '../engine/access/actor.ts'
import { listRecordSets, readRecordSet } from '../engine/definition/load/record-sets.ts'
import { bondOf } from '../engine/definition/model/bond.ts'
import type { DocTypeDefinition } from '../engine/definition/model/definition.ts'
import { isMap, type YamlMap } from '../engine/definition/yaml/source.ts'
import { getDocument } from '../engine/documents/operations/get.ts'
import type { SetNames } from '../engine/documents/record/named-records.ts'
import type { Field } from '../engine/fields/field.ts'
import type { Engine } from '../engine/index.ts'
import type { DemoCompany } from './world/company.ts'
import type { Hands } from './world/hands.ts'

const COMPANY_DOCTYPE = 'Company'

interface Addition {
  readonly doctypes: readonly string[]
  readonly company: DemoCompany['company']
  readonly chart: string
  /** Names of what the company brings along, which get its abbreviation; added to. */
  readonly names: SetNames
}

/** Adds the company of the demo to a workspace that has one, with accounts, taxes and warehouses of its own. */
export async function addCompany(
  engine: Engine,
  hands: Hands,
  { doctypes, company, chart, names }: Addition,
): Promise<void> {
  const { registry } = engine.services
  await hands.create('owner', COMPANY_DOCTYPE, { ...company, chart_of_accounts: chart })
  const taxes = readRecordSet(doctypes, 'taxes', company.country)
  const sets = [chartOf(doctypes, chart), taxes ?? [], listRecordSets(doctypes, 'places')].flat()
  for (const [doctype, records] of sets.flatMap((set) => Object.entries(set.records))) {
    const { idField } = registry.byDoctype(doctype)!
    for (const record of records) {
      const name = String(record[idField])
      names.rename(doctype, name, `${name} - ${company.abbr}`)
    }
  }
  for (const [doctype, records] of Object.entries(mastersFile(doctypes)?.records ?? {}))
    await addRows(engine, hands, registry.byDoctype(doctype)!, {
      records,
      names,
      company: company.company_name,
    })
}

interface Rows {
  readonly records: readonly YamlMap[]
  readonly names: SetNames
  readonly company: string
}

/** Adds rows for the company to masters that name an account for each company, such as expense types. */
async function addRows(
  { context, services }: Engine,
  hands: Hands,
  definition: DocTypeDefinition,
  { records, names, company }: Rows,
): Promise<void> {
  for (const { name: table, child } of definition.fields) {
    const bond = child?.fields
      .map((column) => bondOf(services.registry, definition, column, child.fields))
      .find((one) => one?.isOfRow)
    if (!bond) continue
    for (const record of records) {
      const rows = names.resolved(definition, record)[table]
      const name = String(record[definition.idField])
      if (!Array.isArray(rows)) continue
      const there = (await getDocument(context(SYSTEM_ACTOR, 'business'), definition, name)).record
      await hands.update('owner', definition.doctype, name, {
        [table]: [
          ...(there[table] as readonly YamlMap[]).map((row) => sendable(child!.fields, row)),
          ...rows.filter(isMap).map((row) => ({ ...row, [bond.ours]: company })),
        ],
      })
    }
  }
}

/** A row as it may be sent back: without what the workspace computes. */
function sendable(columns: readonly Field[], row: YamlMap): YamlMap {
  const computed = new Set(columns.filter(({ readOnly }) => readOnly).map(({ name }) => name))
  return Object.fromEntries(Object.entries(row).filter(([name]) => !computed.has(name)))
}

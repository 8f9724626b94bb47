import type { Detail } from '../base/errors.ts'
import type { DocTypeDefinition, Field } from '../definition/definition.ts'
import type { Value } from '../fields/field-type.ts'
import type { Db } from '../storage/database.ts'
import { type Doc, type Row, rowsOf, valueIn } from '../storage/document.ts'
import type { Services } from './context.ts'

/** A link of a record: where it stands and what it names. */
interface OutgoingLink {
  readonly path: string
  readonly doctype: string
  readonly table?: string
  readonly name: string
  /** The value differs from the one before the change. */
  readonly changed: boolean
}

/** The records behind a document's links, read in its transaction: the input of fetches. */
export interface Linked {
  get(doctype: string, name: string): Doc | undefined
}

export interface LinkedRecords {
  readonly linked: Linked
  readonly problems: readonly Detail[]
}

/**
 * Reads what a document links to and says which links do not hold: a record that does not exist, a cancelled
 * one, and, when the document is submitted, a draft (rules.md §4.2, Links). Links that did not change are
 * not complained about again, except at submit.
 */
export async function readLinked(
  tx: Db,
  services: Services,
  definition: DocTypeDefinition,
  before: Doc | undefined,
  after: Doc,
): Promise<LinkedRecords> {
  const problems: Detail[] = []
  const links = [...outgoingLinks(definition, before, after, services, problems)]
  const wanted = new Map<string, Set<string>>()
  for (const { doctype, table, name } of links) {
    const key = table === undefined ? doctype : `${doctype}.${table}`
    const names = wanted.get(key)
    if (names) names.add(name)
    else wanted.set(key, new Set([name]))
  }
  const found = new Map<string, ReadonlyMap<string, Doc | undefined>>()
  for (const [key, names] of wanted)
    found.set(key, await readTargets(tx, services, key, [...names]))
  const submitting = after.docstatus === 1
  for (const { path, doctype, table, name, changed } of links) {
    if (!changed && !submitting) continue
    const key = table === undefined ? doctype : `${doctype}.${table}`
    const targets = found.get(key)
    if (!targets?.has(name)) {
      const what = table === undefined ? doctype : `row of ${doctype}.${table}`
      problems.push({
        field: path,
        message: `expected an existing ${what}, got ${JSON.stringify(name)}`,
      })
      continue
    }
    const target = targets.get(name)
    const state = target && services.registry.byDoctype(doctype)?.submittable ? target.docstatus : 1
    if (path !== 'amended_from' && state === 2) {
      problems.push({
        field: path,
        message: `${doctype} ${JSON.stringify(name)} is cancelled; name a live one`,
      })
    }
    if (path !== 'amended_from' && state === 0 && submitting) {
      problems.push({
        field: path,
        message: `${doctype} ${JSON.stringify(name)} is a draft; submit it first`,
      })
    }
  }
  return { linked: { get: (doctype, name) => found.get(doctype)?.get(name) }, problems }
}

async function readTargets(
  tx: Db,
  services: Services,
  key: string,
  names: readonly string[],
): Promise<ReadonlyMap<string, Doc | undefined>> {
  const [doctype = '', table] = key.split('.')
  const definition = services.registry.byDoctype(doctype)
  if (!definition) return new Map()
  if (table === undefined) return services.partsOf(definition).store.findMany(tx, names)
  const rows = await tx
    .selectFrom(`${definition.table}__${table}`)
    .select('row_id')
    .where('row_id', 'in', names)
    .execute()
  return new Map(rows.map(({ row_id }) => [row_id as string, undefined]))
}

function* outgoingLinks(
  definition: DocTypeDefinition,
  before: Doc | undefined,
  after: Doc,
  services: Services,
  problems: Detail[],
): Generator<OutgoingLink> {
  const old = (field: string): Value => (before ? valueIn(before, field) : null)
  yield* linksOf(definition.fields, '', (field) => valueIn(after, field), old, services, problems)
  for (const field of definition.fields) {
    if (!field.child) continue
    const oldRows = new Map(
      (before ? rowsOf(before, field.name) : []).map((row): [string, Row] => [row.row_id, row]),
    )
    for (const [index, row] of rowsOf(after, field.name).entries()) {
      const oldRow = oldRows.get(row.row_id)
      const prefix = `${field.name}[${index}].`
      yield* linksOf(
        field.child.fields,
        prefix,
        (name) => row[name] ?? null,
        (name) => oldRow?.[name] ?? null,
        services,
        problems,
      )
    }
  }
}

function* linksOf(
  fields: readonly Field[],
  prefix: string,
  now: (field: string) => Value,
  old: (field: string) => Value,
  services: Services,
  problems: Detail[],
): Generator<OutgoingLink> {
  for (const field of fields) {
    if (field.link === undefined && field.linkFrom === undefined) continue
    const name = now(field.name)
    if (name === null) continue
    const path = prefix + field.name
    const doctype = field.link ?? now(field.linkFrom!)
    if (typeof doctype !== 'string') {
      problems.push({
        field: path,
        message: `expected ${field.linkFrom} to name the DocType first`,
      })
      continue
    }
    if (field.linkFrom !== undefined && !services.registry.byDoctype(doctype)) {
      problems.push({
        field: prefix + field.linkFrom,
        message: `expected a DocType, got ${JSON.stringify(doctype)}`,
      })
      continue
    }
    const changed =
      old(field.name) !== name || (field.linkFrom !== undefined && old(field.linkFrom) !== doctype)
    yield {
      path,
      doctype,
      name: String(name),
      changed,
      ...(field.linkTable === undefined ? {} : { table: field.linkTable }),
    }
  }
}

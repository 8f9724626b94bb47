import type { DocTypeDefinition } from '../../definition/model/definition.ts'
import { publicDetails } from '../../fields/public-fields.ts'
import type { Doc } from '../../storage/database/document.ts'
import { valueIn } from '../../storage/database/document.ts'
import { knownParts, may, nameable } from '../rights/door.ts'
import type { DocTypeParts } from '../work/context.ts'
import type { DocumentResult, Preview, WireRecord } from '../work/present.ts'
import type { Touched } from '../work/touched.ts'
import type { Work } from '../work/work.ts'

/** Fields whose change follows from any other. */
const ALWAYS_CHANGED: ReadonlySet<string> = new Set(['modified', 'modified_by'])

/**
 * Preview of an operation that is finished and about to be taken back (contract §7.2). Of other records it tells what the
 * caller may read.
 */
export async function previewOf(
  work: Work,
  entry: Touched,
  { record }: DocumentResult,
): Promise<Preview> {
  const others = [...work.touched.values()].filter(
    (one) => one !== entry && one.start !== one.current,
  )
  const shown = await readableOf(work, others)
  const created = shown.filter(({ start }) => !start)
  const changed = shown.filter(({ start, current }) => start && current)
  const deleted = shown.filter(({ start, current }) => start && !current)
  return {
    record,
    problems: [],
    warnings: await warningsOf(work, entry),
    created: created.map((one) => ({
      resource: one.parts.definition.slug,
      record: recordOf(work, one.parts, one.current!),
    })),
    changed: changed
      .map((one) => ({ ...named(one), fields: changedFields(work, one) }))
      .filter(({ fields }) => Object.keys(fields).length > 0),
    deleted: deleted.map(named),
    ledgers: await ledgersOf(work),
    events: await eventsOf(work, entry, shown),
  }
}

/** Those of the records that the caller may read; of what is gone, the DocTypes decide. */
async function readableOf(work: Work, entries: readonly Touched[]): Promise<readonly Touched[]> {
  const open = entries.filter(({ parts }) => may(work.context, parts.definition, 'read'))
  const there = open.filter(({ current }) => current).map(nameOf)
  const readable = new Set((await nameable(work, there)).map(keyOf))
  return open.filter((one) => !one.current || readable.has(keyOf(nameOf(one))))
}

/** What checks with `warn` say of the record as it would be. */
async function warningsOf(
  { context, environment, reads }: Work,
  { parts, start, current }: Touched,
): Promise<Preview['warnings']> {
  if (!current) return []
  const { definition } = knownParts(context, parts)
  for (;;) {
    const found = parts.behaviour.rules.warnings(current, start, reads, environment)
    if (!(await reads.fill())) return publicDetails(definition, found)
  }
}

function nameOf({ parts, name }: Touched): { readonly doctype: string; readonly name: string } {
  return { doctype: parts.definition.doctype, name }
}

function keyOf({ doctype, name }: { readonly doctype: string; readonly name: string }): string {
  return `${doctype}\0${name}`
}

function recordOf({ context }: Work, parts: DocTypeParts, doc: Doc): WireRecord {
  return knownParts(context, parts).presenter.record(doc)
}

function named({ parts: { definition }, name, start, current }: Touched) {
  const title = titleOf(definition, (current ?? start)!)
  return { resource: definition.slug, id: name, title }
}

function titleOf({ titleField }: DocTypeDefinition, doc: Doc): string {
  return String(valueIn(doc, titleField) ?? doc.name)
}

function changedFields(work: Work, { parts, start, current }: Touched) {
  const [before, after] = [start!, current!].map((doc) => recordOf(work, parts, doc))
  const names = Object.keys(after!).filter(
    (name) =>
      !ALWAYS_CHANGED.has(name) && JSON.stringify(before![name]) !== JSON.stringify(after![name]),
  )
  return Object.fromEntries(names.map((name) => [name, [before![name], after![name]] as const]))
}

async function ledgersOf(work: Work): Promise<Preview['ledgers']> {
  const open = work.posted.filter(({ parts }) => may(work.context, parts.definition, 'read'))
  const names = open.map(({ parts, row }) => ({
    doctype: parts.definition.doctype,
    name: row.name,
  }))
  const readable = new Set((await nameable(work, names)).map(keyOf))
  const rows = open.filter((_, index) => readable.has(keyOf(names[index]!)))
  const bySlug = Map.groupBy(rows, ({ parts }) => parts.definition.slug)
  return Object.fromEntries(
    [...bySlug].map(([slug, some]) => [
      slug,
      some.map(({ parts, row }) => recordOf(work, parts, row)),
    ]),
  )
}

/** Events of the record itself and of those that the caller may read, in their order. */
async function eventsOf(
  work: Work,
  entry: Touched,
  shown: readonly Touched[],
): Promise<readonly string[]> {
  const { registry } = work.context.services
  const told = new Set([entry, ...shown].map((one) => keyOf(nameOf(one))))
  return work.logged
    .filter(({ resource, record_id: name }) => {
      const definition = registry.bySlug(resource)
      if (!definition) return true
      return told.has(keyOf({ doctype: definition.doctype, name }))
    })
    .map(({ event }) => event)
}

import { SYSTEM_ACTOR } from '../../access/actor.ts'
import { isoDateTime } from '../../base/clock.ts'
import type { RuleReads } from '../../rules/base/reads.ts'
import { NO_READS } from '../../rules/program/no-reads.ts'
import type { Db } from '../../storage/database/database.ts'
import { cloneDoc, type Doc, rowsOf } from '../../storage/database/document.ts'
import { lockKey } from '../../storage/database/key-lock.ts'
import type { DocTypeParts, Services } from '../work/context.ts'
import { createReads } from '../work/reads.ts'
import type { Touched } from '../work/touched.ts'
import type { ComputedCells, MadeSource, MadeTable } from './verify-cells.ts'

/** Records within which rows were made (`rows.within`), as they are now: by DocType and name, with their rows. */
export interface MadeSources {
  /** Whether the rows of a table can be made again: nothing that they came from has changed since the document was made. */
  canBeMade(table: MadeTable, doc: Doc): boolean
  readonly reads: RuleReads
}

const isOwn = ({ sources }: MadeTable): boolean =>
  sources.every(({ within }) => within === undefined)

const NONE: MadeSources = { canBeMade: isOwn, reads: NO_READS }

/** Reads the records within which rows of these documents were made. */
export async function madeSourcesOf(
  db: Db,
  services: Services,
  { made }: Pick<ComputedCells, 'made'>,
  docs: readonly Doc[],
): Promise<MadeSources> {
  if (made.every(isOwn)) return NONE
  const found = new Map<string, Doc>()
  for (const source of made.flatMap(({ sources }) => sources)) {
    const { within } = source
    const target = within && services.registry.byDoctype(within.doctype)
    if (!target) continue
    const names = new Set(docs.flatMap((doc) => namesIn(source, doc)))
    if (names.size === 0) continue
    const { store } = services.partsOf(target)
    const records = [...(await store.findMany(db, [...names])).values()]
    await store.loadRows(db, records)
    for (const record of records) found.set(keyOf(target.doctype, record.name), record)
  }
  return {
    canBeMade: ({ sources }, doc) =>
      sources.every((source) =>
        namesIn(source, doc).every((name) => {
          const record = found.get(keyOf(source.within!.doctype, name))
          return record !== undefined && record.modified < doc.created
        }),
      ),
    reads: { ...NO_READS, get: (doctype, name) => found.get(keyOf(doctype, name)) },
  }
}

/** Names of the records that the rows a table is made of lead to. */
function namesIn({ each, within }: MadeSource, doc: Doc): readonly string[] {
  if (!within) return []
  return rowsOf(doc, each).flatMap((row) => {
    const name = row[within.link]
    return typeof name === 'string' && name !== '' ? [name] : []
  })
}

const keyOf = (doctype: string, name: string): string => `${doctype}\0${name}`

/** A draft with all that follows computed as its next write would: rows that were dropped or added behind its back, too. */
export async function computedAnew(
  tx: Db,
  services: Services,
  { behaviour: { rules } }: DocTypeParts,
  doc: Doc,
): Promise<Doc> {
  const touched = new Map<string, Touched>()
  const record = async (parts: DocTypeParts, name: string): Promise<Doc | undefined> => {
    const found = await parts.store.lock(tx, name, 'change')
    if (!found) return undefined
    await parts.store.loadRows(tx, [found])
    const key = keyOf(parts.definition.doctype, name)
    touched.set(key, { parts, name, start: found, current: found, kinds: [] })
    return found
  }
  const key = (name: string): Promise<void> => lockKey(tx, services.database.kind, name)
  const reads = createReads(tx, services, touched, { record, key })
  const environment = rules.environment(
    isoDateTime(services.clock),
    SYSTEM_ACTOR.name,
    services.computedSince,
  )
  let after: Doc
  do {
    after = cloneDoc(doc)
    rules.compute(after, doc, reads, environment)
  } while (await reads.fill())
  return after
}

import { isRefusal } from '../../engine/base/errors.ts'
import type { DocTypeDefinition } from '../../engine/definition/model/definition.ts'
import { isKeptByEngine } from '../../engine/definition/model/kept.ts'
import { listDocuments } from '../../engine/documents/lists/list.ts'
import type { Context } from '../../engine/documents/work/context.ts'
import type { DocumentResult } from '../../engine/documents/work/present.ts'
import { readListQuery } from '../../server/http/list-params.ts'

/** The records that links choose from. */
export interface Pools {
  /** Names of records a link may name; empty while the first of them is being made. */
  of(definition: DocTypeDefinition): Promise<readonly string[]>
  /** Adds a record to those that were made here: the others may be used up, as an employee who has been paid. */
  grow(definition: DocTypeDefinition): Promise<void>
}

/** Called with each record that is made for a pool; one that it is refused for is of no use and not in the pool. */
export type Prepare = (definition: DocTypeDefinition, made: DocumentResult) => Promise<void>

export interface PoolOptions {
  readonly prefer: Readonly<Record<string, readonly string[]>>
  /** A new record with what it must have and no more. */
  make(definition: DocTypeDefinition): Promise<DocumentResult>
  readonly prepare?: Prepare
}

/** Records of one DocType that are made where there are none. */
const SIZE = 2
/** Records of one DocType that there are at most of those made here. */
const MOST = 8
/** Records that may turn out to be of no use. */
const USELESS = 10

/** Takes what the workspace has; where it has nothing, makes records as plain as they can be. */
export function createPools(context: Context, { prefer, make, prepare }: PoolOptions): Pools {
  const pools = new Map<string, string[]>()
  const madeHere = new Set<string>()
  let isGrowing = false

  async function of(definition: DocTypeDefinition): Promise<readonly string[]> {
    const known = pools.get(definition.doctype)
    if (known) return known
    const names: string[] = []
    pools.set(definition.doctype, names)
    names.push(...(prefer[definition.doctype] ?? (await usable(context, definition))))
    if (names.length > 0 || isKeptByEngine(definition)) return names
    madeHere.add(definition.doctype)
    while (names.length < SIZE) names.push(await useful(definition))
    return names
  }

  async function useful(definition: DocTypeDefinition): Promise<string> {
    for (let useless = 0; ; useless += 1) {
      const made = await make(definition)
      try {
        await prepare?.(definition, made)
        return made.id
      } catch (error) {
        if (!isRefusal(error) || useless === USELESS) throw error
      }
    }
  }

  async function grow(definition: DocTypeDefinition): Promise<void> {
    const names = pools.get(definition.doctype)
    if (isGrowing || !names || names.length >= MOST || !madeHere.has(definition.doctype)) return
    isGrowing = true
    try {
      names.push(await useful(definition))
    } finally {
      isGrowing = false
    }
  }

  return { of, grow }
}

/** What is true of records that most documents cannot name. */
const FLAGS = ['is_group', 'disabled', 'has_variants', 'has_batch_no', 'has_serial_no']

/** Names of what can be linked to: not cancelled, not a group, not switched off, not kept piece by piece. */
async function usable(context: Context, definition: DocTypeDefinition): Promise<string[]> {
  const flags = FLAGS.filter((name) => definition.fields.some((field) => field.name === name))
  const query = readListQuery(context.services, definition, [
    ['limit', '100'],
    ['fields', ['id', ...flags].join(',')],
    ...(definition.submittable ? [['docstatus', '1'] as const] : []),
  ])
  const { data } = await listDocuments(context, definition, query)
  return data
    .filter((record) => !flags.some((name) => record[name] === true))
    .map(({ id }) => String(id))
}

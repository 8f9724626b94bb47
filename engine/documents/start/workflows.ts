import { hash } from 'node:crypto'
import { SYSTEM_ACTOR } from '../../access/actor.ts'
import { ALL_ROLE } from '../../access/roles.ts'
import { isoDateTime } from '../../base/clock.ts'
import { newRowId } from '../../base/ids.ts'
import type { DocTypeDefinition, StatusDeclaration } from '../../definition/model/definition.ts'
import { movesOf } from '../../definition/normalise/flow.ts'
import type { Value } from '../../fields/field-type.ts'
import type { Db } from '../../storage/database/database.ts'
import { cloneDoc, type Doc, rowsOf, valueIn } from '../../storage/database/document.ts'
import { lockKey } from '../../storage/database/key-lock.ts'
import { allNames } from '../../storage/finding/record-names.ts'
import { readSetting, writeSetting } from '../../storage/workspace/settings.ts'
import type { DocTypeParts, Services } from '../work/context.ts'

type Cells = Readonly<Record<string, Value>>

/** Record of a declared flow. */
interface Workflow {
  readonly name: string
  readonly values: Cells
  readonly tables: Readonly<Record<string, readonly Cells[]>>
}

/** Setting that holds what the records were made of. */
const KEPT = 'workflows'

/**
 * Brings the records of the DocType that serves workflows to the declared flows, one record for each, where
 * these have changed since the last time (docs/decisions/0033). Nothing is told of it: the records only say
 * what the definitions say.
 */
export async function keepWorkflows(services: Services): Promise<void> {
  const { registry, database } = services
  const definition = registry.serving('workflows')
  if (!definition) return
  const wanted = registry.all.flatMap(workflowOf)
  const checksum = hash('sha256', JSON.stringify([definition.checksum, wanted]))
  if ((await readSetting(database.read, KEPT)) === checksum) return
  await database.write(async (tx) => {
    await lockKey(tx, database.kind, `svc:${KEPT}`)
    if ((await readSetting(tx, KEPT)) === checksum) return
    await replaceAll(tx, services, services.partsOf(definition), wanted)
    await writeSetting(tx, KEPT, checksum)
  })
}

/** The flow of a DocType as a record; none where its status is not chosen. */
function workflowOf({ doctype, behaviour: { status } }: DocTypeDefinition): readonly Workflow[] {
  if (!status?.flow) return []
  return [
    {
      name: doctype,
      values: {
        workflow_name: doctype,
        document_type: doctype,
        workflow_state_field: status.field,
        is_active: true,
      },
      tables: {
        states: statesOf(status).map((state) => ({ state })),
        transitions: movesOf(status).flatMap(({ from, to, roles = [ALL_ROLE] }) =>
          roles.map((allowed) => ({ state: from, action: to, next_state: to, allowed })),
        ),
      },
    },
  ]
}

function statesOf(status: StatusDeclaration): readonly string[] {
  const moves = movesOf(status)
  const { initial, flow = {}, cancelled } = status
  const states = [initial, ...Object.keys(flow), ...moves.map(({ to }) => to), cancelled]
  return [...new Set(states.filter((state) => state !== undefined))]
}

async function replaceAll(
  tx: Db,
  { search, clock }: Services,
  { store, definition }: DocTypeParts,
  wanted: readonly Workflow[],
): Promise<void> {
  const names = await allNames(tx, definition)
  const kept = new Map(names.length === 0 ? [] : await store.findMany(tx, names))
  await store.loadRows(tx, [...kept.values()])
  const now = isoDateTime(clock)
  for (const workflow of wanted) {
    const before = kept.get(workflow.name)
    kept.delete(workflow.name)
    if (before && isSame(before, workflow)) continue
    const after = filled(before ? cloneDoc(before) : store.empty(), definition, workflow)
    after.modified = now
    after.modified_by = SYSTEM_ACTOR.name
    if (before) {
      after.version = before.version + 1
      await store.update(tx, before, after)
      await search.update(tx, definition, before, after)
      continue
    }
    after.name = workflow.name
    after.created = now
    after.owner = SYSTEM_ACTOR.name
    await store.insert(tx, after)
    await search.insert(tx, definition, after)
  }
  for (const gone of kept.values()) {
    await store.remove(tx, gone)
    await search.remove(tx, definition, gone)
  }
}

function isSame(doc: Doc, { values, tables }: Workflow): boolean {
  const isAlike = (cells: Cells, of: Readonly<Record<string, unknown>>): boolean =>
    Object.entries(cells).every(([field, value]) => of[field] === value)
  return (
    Object.entries(values).every(([field, value]) => valueIn(doc, field) === value) &&
    Object.entries(tables).every(([table, cells]) => {
      const rows = rowsOf(doc, table)
      return rows.length === cells.length && cells.every((one, at) => isAlike(one, rows[at]!))
    })
  )
}

function filled(doc: Doc, { fields }: DocTypeDefinition, { values, tables }: Workflow): Doc {
  const after: Doc = { ...doc, ...values }
  for (const [table, cells] of Object.entries(tables)) {
    const columns = fields.find(({ name }) => name === table)?.child?.fields ?? []
    const empty = Object.fromEntries(columns.map(({ name }) => [name, null]))
    after[table] = cells.map((row) => ({ ...empty, ...row, row_id: newRowId() }))
  }
  return after
}

import type { DocTypeDefinition } from '../../definition/model/definition.ts'
import { isPublic } from '../../fields/public-fields.ts'
import type { ComputedCell } from '../../rules/cells/computed-cell.ts'
import { listFingerprint } from '../../storage/records/cursor.ts'
import { readDocument } from '../operations/get.ts'
import { knownParts } from '../rights/door.ts'
import type { Context } from '../work/context.ts'
import { type Cell, cellAt, pathOf, placeOf, shownValue, storedValue } from './cell.ts'
import { ofFormula, ofRollup, ofStatus } from './computed-source.ts'
import type { ExplainedInput, ExplainQuery, Explanation } from './explanation.ts'
import type { Input } from './inputs.ts'
import { placeIn, readableRecord, recordsOf } from './listing.ts'
import { computedCell, createScene, type Scene } from './scene.ts'
import type { Source } from './source.ts'
import { ofCall, ofDefault, ofFetch, ofLookup } from './taken-source.ts'
import { withoutWithheld } from './withheld.ts'
import { ofEntry, ofLedger, ofSetter, ofStandard } from './written-source.ts'

/**
 * Why a field of a record, or a column of one of its rows (`items.<row_id>.amount`), has its value
 * (GET /v1/{resource}/{id}/explain/{field}, decision 47). Throws 401/403, 404 for a record or field that there is not,
 * 422 for a cursor of something else.
 */
export async function explainField(
  context: Context,
  definition: DocTypeDefinition,
  id: string,
  named: string,
  query: ExplainQuery,
): Promise<Explanation> {
  const { doc, parts } = await readDocument(context, definition, id)
  const { registry } = context.services
  // What the caller may not read is not there for them; what is, is explained as it is declared.
  cellAt(registry, knownParts(context, parts).definition, doc, named)
  const cell = cellAt(registry, parts.definition, doc, named)
  const scene = createScene(context, parts, doc, query)
  const explanation = await explain(scene, cell, query.depth, { cursor: query.cursor })
  const shown = parts.presenter.record(doc)
  const value = cell.table ? explanation.value : shown[cell.field.name]
  return { ...explanation, field: named, value: value ?? null }
}

/** Words in which an explanation is told. */
interface Telling {
  /** Cursor of the page that the caller asked for. */
  readonly cursor?: string | undefined
  /** Name and label of what an internal cell was taken from. */
  readonly as?: { readonly field: string; readonly label: string }
}

async function explain(
  scene: Scene,
  cell: Cell,
  depth: number,
  { cursor, as }: Telling = {},
): Promise<Explanation> {
  const { context, query, parts, doc } = scene
  const { places, cursors } = context.services
  const source = withoutWithheld(context, parts.definition, cell, await sourceOf(scene, cell))
  const { said } = source
  const where = said && places.find(said.definition, said.path, said.text)
  const list = listFingerprint(['explain', parts.definition.slug, doc.name, placeOf(cell)])
  const after = placeIn(scene, list, cursor)
  const write = (rid: number, idx: number): string =>
    cursors.write(list, { value: BigInt(idx), rid })
  const listed =
    source.listing &&
    (await recordsOf(scene, source.listing, {
      limit: query.limit,
      after,
      // What stands for an internal field cannot be asked for by itself.
      cursor: as ? undefined : ({ rid, idx }) => write(rid, idx),
    }))
  const start = source.listing ? 0 : (after?.rid ?? 0)
  const end = source.listing ? source.inputs.length : start + query.limit
  const inputs: ExplainedInput[] = []
  for (const input of source.inputs.slice(start, end)) {
    const one = await shownInput(scene, input, depth)
    if (one) inputs.push(one)
  }
  const next = listed?.next ?? (source.inputs.length > end && !as ? write(end, 0) : undefined)
  return {
    field: as?.field ?? placeOf(cell),
    label: as?.label ?? cell.field.label,
    value: shownValue(cell.field, storedValue(cell)),
    how: source.how,
    ...(where ? { where } : {}),
    ...(source.at === undefined ? {} : { at: source.at }),
    inputs,
    ...(listed ? { records: listed.records } : {}),
    ...(next === undefined ? {} : { next_cursor: next }),
  }
}

/** An input with its value, and its own explanation where it is wanted; undefined for what the caller may not read. */
async function shownInput(
  scene: Scene,
  input: Input,
  depth: number,
): Promise<ExplainedInput | undefined> {
  if (input.kind === 'value') {
    const { field, label, value } = input
    return { field, label, value }
  }
  if (input.kind === 'linked') return linkedInput(scene, input)
  const { cell } = input
  const value = shownValue(cell.field, storedValue(cell))
  if (input.kind === 'cell') {
    const shown = { field: placeOf(cell), label: cell.field.label, value }
    if (depth <= 1 || !mayExplain(scene)) return shown
    return { ...shown, explain: await explain(scene, cell, depth - 1) }
  }
  const { field, label } = input
  // What has been fetched says all by its name; of sums the rows are what matters.
  const isPlain = cell.field.fetch !== undefined && depth <= 1
  if (isPlain || !mayExplain(scene)) return { field, label, value }
  const explanation = await explain(scene, cell, Math.max(1, depth - 1), { as: { field, label } })
  return { field, label, value, explain: explanation }
}

function mayExplain(scene: Scene): boolean {
  if (scene.left === 0) return false
  scene.left -= 1
  return true
}

async function linkedInput(
  scene: Scene,
  { link, definition, field }: Extract<Input, { kind: 'linked' }>,
): Promise<ExplainedInput | undefined> {
  const name = storedValue(link)
  const doc = typeof name === 'string' ? await readableRecord(scene, definition, name) : undefined
  if (!doc) return undefined
  const value = shownValue(field, storedValue({ doc, field }))
  return { field: `${placeOf(link)}.${field.name}`, label: field.label, value }
}

/** The source of a cell: the first that can have filled it, in the order in which the engine fills. */
async function sourceOf(scene: Scene, cell: Cell): Promise<Source> {
  const { definition } = scene.parts
  const { services } = scene.context
  const { field, table } = cell
  const standard = await ofStandard(scene, cell)
  if (standard) return standard
  if (field.rollup) {
    const { rollups } = services.program.partsOf(definition)
    const declared = rollups.find((one) => one.field === field && one.table === table?.name)
    const plan = declared?.compiled().plan
    if (plan) return ofRollup(scene, cell, plan)
  }
  const computed = computedCell(services, definition, pathOf(cell))
  if (computed?.formula) return ofFormula(scene, cell, computed.formula, computed)
  return (
    ofStatus(scene, cell) ??
    (await ofTaken(scene, cell, computed)) ??
    (await ofRowsTaken(scene, cell)) ??
    ofLedger(scene, cell) ??
    (await ofSetter(scene, cell)) ??
    (computed && (await ofDefault(scene, cell, computed))) ??
    (await ofEntry(scene, cell))
  )
}

async function ofTaken(
  scene: Scene,
  cell: Cell,
  computed: ComputedCell | undefined,
): Promise<Source | undefined> {
  if (!computed) return undefined
  const { field } = cell
  const fetched = field.fetch && (await ofFetch(scene, cell, computed))
  if (fetched) return fetched
  const found = computed.lookup && (await ofLookup(scene, cell, computed.lookup))
  if (found) return found
  return field.call?.when === 'always' ? ofCall(scene, cell, cell, computed) : undefined
}

/** A column of a table whose rows a hook gives. */
async function ofRowsTaken(scene: Scene, cell: Cell): Promise<Source | undefined> {
  const { table, doc, field } = cell
  if (table?.call?.when !== 'always' || !isPublic(table)) return undefined
  const rows = computedCell(scene.context.services, scene.parts.definition, table.name)
  if (!rows?.call?.columns.includes(field)) return undefined
  return ofCall(scene, cell, { doc, field: table }, rows)
}

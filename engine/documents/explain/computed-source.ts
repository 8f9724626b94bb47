import { isoDateTime } from '../../base/clock.ts'
import { AppError } from '../../base/errors.ts'
import { ExpressionError } from '../../expression/tree/problem.ts'
import type { ValueType } from '../../expression/tree/types.ts'
import type { Field } from '../../fields/field.ts'
import type { Value } from '../../fields/field-type.ts'
import { fieldType } from '../../fields/index.ts'
import type { CompiledRule } from '../../rules/base/compiled-rule.ts'
import { NO_ENVIRONMENT } from '../../rules/base/sql-parts.ts'
import { assigned } from '../../rules/cells/fill.ts'
import type { StatusRule } from '../../rules/cells/status.ts'
import { rollupRows } from '../../rules/explain/explained-rows.ts'
import type { RollupPlan } from '../../rules/rollups/rollup-plan.ts'
import { type Cell, declaredAt, storedValue } from './cell.ts'
import { clockInput, inputsOf } from './inputs.ts'
import { publicText } from './public-text.ts'
import { environmentAt, type Scene, statusOf } from './scene.ts'
import type { Source } from './source.ts'

/** The formula of a cell, with the clock as it was when the value was computed, where that can be told. */
export function ofFormula(
  scene: Scene,
  cell: Cell,
  rule: CompiledRule,
  { field, type }: { readonly field: Field; readonly type: ValueType },
): Source {
  const { definition } = scene.parts
  const stored = storedValue(cell)
  const isRightAt = (now: string): boolean =>
    computedAt(scene, cell, rule, { field, type }, now) === stored
  const moment = momentOf(scene, isRightAt)
  const { expression } = rule
  return {
    how: 'formula',
    said: {
      definition,
      path: [...declaredAt(cell), 'formula'],
      text: publicText(scene.context.services, { definition, table: cell.table }, expression),
    },
    at: moment.at,
    inputs: [
      ...inputsOf(scene, cell, expression),
      ...(moment.clock === undefined ? [] : clockInput(expression, moment.clock)),
    ],
  }
}

/** Value of an expression for a cell at a moment; undefined where it cannot be computed. */
export function computedAt(
  scene: Scene,
  cell: Cell,
  rule: CompiledRule,
  { field, type }: { readonly field: Field; readonly type: ValueType },
  now: string,
): Value | undefined {
  const values = cell.row ?? cell.doc
  return attempted(() => {
    const result = rule.evaluate()(values, environmentAt(scene, cell, now))
    return assigned(rule, field, type, values, cell.doc, result)
  })
}

/** What a computation gives; undefined where the data makes it impossible. */
export function attempted<T>(compute: () => T): T | undefined {
  try {
    return compute()
  } catch (error) {
    const isOfData =
      error instanceof ExpressionError ||
      (error instanceof AppError && error.code === 'VALIDATION_ERROR')
    if (!isOfData) throw error
    return undefined
  }
}

/**
 * Moment of a value that is computed again with every change: none where it is right as of now, else that of the last
 * change. `clock` is the one that it was computed with, unless something else is lost that only the write knew.
 */
function momentOf(
  { context, doc }: Scene,
  isRightAt: (now: string) => boolean,
): { readonly at?: string; readonly clock?: string } {
  const now = isoDateTime(context.services.clock)
  if (isRightAt(now)) return { clock: now }
  return isRightAt(doc.modified) ? { at: doc.modified, clock: doc.modified } : { at: doc.modified }
}

/** The rollup of a cell: the rows that it is kept from. */
export function ofRollup(scene: Scene, cell: Cell, plan: RollupPlan): Source {
  const { definition } = scene.parts
  const { services } = scene.context
  const { field, source, sourceTable, match, where, value, operation } = plan
  const table = source.fields.find(({ name }) => name === sourceTable)
  const shown = (rule: CompiledRule | undefined): string | undefined =>
    rule && publicText(services, { definition: source, table }, rule.expression)
  const key = cell.row?.row_id ?? cell.doc.name
  const isExtreme = operation === 'min' || operation === 'max'
  const stored = storedValue(cell)
  const only = stored === null ? null : fieldType(field.type).toColumn(stored, field)
  return {
    how: 'rollup',
    said: {
      definition,
      path: [...declaredAt(cell), 'rollup'],
      text: keysText({
        from: field.rollup!.from,
        match: shown(match),
        [operation]: operation === 'count' ? 'true' : shown(value),
        where: shown(where),
      }),
    },
    inputs: [],
    listing: {
      kind: 'rows',
      definition: source,
      rows: rollupRows(plan, services.database.kind, key),
      environment: NO_ENVIRONMENT,
      field: operation === 'count' ? undefined : field,
      only: isExtreme ? only : undefined,
    },
  }
}

/** Keys with their texts, as YAML writes them in one line; those without a text are left out. */
export function keysText(keys: Readonly<Record<string, string | undefined>>): string {
  return Object.entries(keys)
    .flatMap(([key, text]) => (text === undefined ? [] : [`${key}: ${text}`]))
    .join(', ')
}

/**
 * The state of a record: the first condition that holds, or the one by which a chosen status moved. undefined for one
 * that somebody chose.
 */
export function ofStatus(scene: Scene, cell: Cell): Source | undefined {
  const rule = cell.table ? undefined : statusOf(scene, cell.field)
  if (!rule) return undefined
  const { definition } = scene.parts
  const stored = storedValue(cell)
  const [key, states] =
    rule.states.length > 0 ? (['derive', rule.states] as const) : (['moves', rule.moves] as const)
  const isRightAt = (now: string): boolean => firstState(scene, cell, states, now) === stored
  const moment = momentOf(scene, isRightAt)
  const state = states.find(({ name }) => name === stored)
  if (!state || (key === 'moves' && moment.clock === undefined)) return setByCancel(scene, stored)
  const { expression } = state.when
  return {
    how: 'status',
    said: {
      definition,
      path: ['status', key, state.name],
      text: publicText(scene.context.services, { definition }, expression),
    },
    at: moment.at,
    inputs: [
      ...inputsOf(scene, cell, expression),
      ...(moment.clock === undefined ? [] : clockInput(expression, moment.clock)),
    ],
  }
}

function firstState(
  scene: Scene,
  cell: Cell,
  states: StatusRule['states'],
  now: string,
): string | undefined {
  const environment = environmentAt(scene, cell, now)
  return attempted(
    () => states.find(({ when }) => when.evaluate()(cell.doc, environment) === true)?.name,
  )
}

/** The state that a cancel moves a chosen status to. */
function setByCancel({ parts, doc }: Scene, stored: Value): Source | undefined {
  const { definition } = parts
  const { cancelled } = definition.behaviour.status ?? {}
  if (doc.docstatus !== 2 || cancelled === undefined || stored !== cancelled) return undefined
  const docstatus = {
    kind: 'value',
    field: 'docstatus',
    label: 'Document Status',
    value: 2,
  } as const
  return {
    how: 'status',
    said: { definition, path: ['status', 'cancelled'], text: cancelled },
    inputs: [docstatus],
  }
}

import { choicesOf } from '../data/format.ts'
import type { FieldInfo, ResourceInfo } from '../data/types.ts'
import { columnsOf, statusField } from './list-state.ts'

/** Ways to look at a list. */
export type LayoutName = 'table' | 'board' | 'calendar' | 'tree'

/** A board: its columns are the values of `by`. */
export interface BoardPlan {
  readonly by: FieldInfo
  readonly card: readonly FieldInfo[]
  readonly sum: FieldInfo | undefined
}

/** A calendar: where in time a record stands, and what its entry says. */
export interface CalendarPlan {
  readonly start: FieldInfo
  readonly end: FieldInfo | undefined
  readonly title: FieldInfo | undefined
}

/** Lines of a card below its title, where the definition names none. */
const CARD_LINES = 3

/** Ways to look at the list of a resource, its table first. */
export function layoutsOf(resource: ResourceInfo): readonly LayoutName[] {
  return [
    'table',
    ...(boardOf(resource) ? (['board'] as const) : []),
    ...(calendarOf(resource) ? (['calendar'] as const) : []),
    ...(treeOf(resource) ? (['tree'] as const) : []),
  ]
}

/** The board that the definition names, else one by the status; undefined where there is neither. */
export function boardOf(resource: ResourceInfo): BoardPlan | undefined {
  const { fields, views } = resource
  const named = (name: string | undefined) => fields.find((one) => one.name === name)
  const by = named(views?.board?.by) ?? statusField(resource)
  if (!by?.operators.includes('eq')) return undefined
  if (by.type === 'select' && choicesOf(by).length < 2) return undefined
  const usual = columnsOf(resource, resource.list_fields).slice(0, CARD_LINES)
  const card = views?.board?.card?.flatMap((name) => named(name) ?? []) ?? usual
  const sum = views?.board
    ? named(views.board.sum)
    : usual.find(({ type, name }) => type === 'currency' && resource.list_fields.includes(name))
  return { by, card: card.filter((field) => field !== by), sum }
}

/** The calendar that the definition names, else one by the first day of the list. */
export function calendarOf({ fields, views, list_fields }: ResourceInfo): CalendarPlan | undefined {
  const named = (name: string | undefined) => fields.find((one) => one.name === name)
  const dated = fields.filter(({ type, name }) => type === 'date' && list_fields.includes(name))
  const start = views?.calendar ? named(views.calendar.start) : dated[0]
  if (!start?.operators.includes('gte')) return undefined
  return { start, end: named(views?.calendar?.end), title: named(views?.calendar?.title) }
}

/** Link to the record above, where records can be found by it. */
export function treeOf({ fields, tree }: ResourceInfo): FieldInfo | undefined {
  return fields.find(({ name, operators }) => name === tree && operators.includes('eq'))
}

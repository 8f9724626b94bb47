import { useQueries, useQueryClient } from '@tanstack/react-query'
import { useDesk } from '../boot/desk-context.ts'
import { recordPath } from '../data/client.ts'
import { choicesOf } from '../data/format.ts'
import { useGroups } from '../data/queries.ts'
import type { Groups, ListAnswer, RecordData, ResourceInfo } from '../data/types.ts'
import type { BoardPlan } from '../list/layouts.ts'
import { narrowing } from '../list/list-address.ts'
import { type ListState, statusField, titleField } from '../list/list-state.ts'
import { titleOf } from '../list/row-parts.tsx'
import { useToast } from '../ui/toast.tsx'
import { WORDS } from '../words/en.ts'

/** A column of a board with the first of its cards. */
export interface BoardColumn {
  readonly value: string
  readonly label: string
  readonly color: string | undefined
  readonly count: number
  readonly sum: number | undefined
  readonly cards: readonly RecordData[]
  /** Values that a card of it may be moved to. */
  readonly targets: ReadonlySet<string>
}

/** A board at work. */
export interface Board {
  /** Undefined until it is known which columns there are. */
  readonly columns: readonly BoardColumn[] | undefined
  /** Puts a card into another column at once, and back where the server refuses. */
  readonly move: (card: RecordData, from: string, to: string) => Promise<void>
}

/** Cards of a column; the list has the others. */
const MOST_CARDS = 25

/** Columns of a board, at most. */
const MOST_COLUMNS = 16

/** The board of a list: counts and sums in one request, cards in one for each column. */
export function useBoard(resource: ResourceInfo, state: ListState, plan: BoardPlan): Board {
  const { client, boot, entryOf } = useDesk()
  const queries = useQueryClient()
  const tell = useToast()
  const { slug } = resource
  const { by, sum } = plan
  const groupsQuery = new URLSearchParams({
    ...narrowing(state),
    _count_by: by.name,
    ...(sum ? { _sum: sum.name } : {}),
  }).toString()
  const { data: groups } = useGroups(slug, groupsQuery)
  const may = !by.readOnly && entryOf(slug)?.can.includes('update') === true
  const heads = groups ? headsOf(resource, plan, groups, may).slice(0, MOST_COLUMNS) : []
  const keyOf = (value: string): readonly string[] => [
    'list',
    slug,
    columnQuery(resource, state, plan, value),
  ]
  const answers = useQueries({
    queries: heads.map(({ value, count }) => ({
      queryKey: keyOf(value),
      queryFn: async () =>
        (await client.ask<ListAnswer>(`/v1/${slug}?${columnQuery(resource, state, plan, value)}`))
          .body,
      enabled: count > 0,
    })),
  })

  async function move(card: RecordData, from: string, to: string): Promise<void> {
    const shift = (value: string, change: (cards: readonly RecordData[]) => RecordData[]): void => {
      queries.setQueryData<ListAnswer>(keyOf(value), (answer) => ({
        meta: answer?.meta ?? { total: 0, limit: MOST_CARDS, offset: 0 },
        data: change(answer?.data ?? []),
      }))
    }
    const count = (value: string, by: number): void => {
      queries.setQueryData<Groups>(['list', slug, 'groups', groupsQuery], (answer) =>
        answer ? counted(answer, value, by) : answer,
      )
    }
    shift(from, (cards) => cards.filter(({ id }) => id !== card.id))
    shift(to, (cards) => [{ ...card, [by.name]: to }, ...cards])
    count(from, -1)
    count(to, 1)
    try {
      const body = { [by.name]: to }
      await client.ask(recordPath(slug, card.id), { method: 'PATCH', body })
      tell(WORDS.moved(titleOf(resource, card), labelOf(plan, to)))
    } catch (error) {
      shift(to, (cards) => cards.filter(({ id }) => id !== card.id))
      shift(from, (cards) => [card, ...cards])
      tell((error as Error).message, 'problem')
    }
    await queries.invalidateQueries({ queryKey: ['list', slug] })
  }

  const columns = groups
    ? heads.map((head, at) => ({
        ...head,
        color: head.color ?? boot.colors[head.value],
        cards: answers[at]?.data?.data ?? [],
        targets: may ? targetsOf(resource, plan, heads, head.value) : new Set<string>(),
      }))
    : undefined
  return { columns, move }
}

type Head = Pick<BoardColumn, 'value' | 'label' | 'color' | 'count' | 'sum'>

/** Columns without cards are shown where one may be put there. */
function headsOf(
  resource: ResourceInfo,
  { by, sum }: BoardPlan,
  { groups }: Groups,
  may: boolean,
): readonly Head[] {
  const byValue = new Map(groups.map((group) => [String(group.value ?? ''), group]))
  const moves = statusField(resource) === by ? resource.flow?.moves : undefined
  const choices = choicesOf(by)
  const known = choices.map(({ value, label, color }) => ({ value, label, color }))
  const others = [...byValue]
    .filter(([value]) => !known.some((one) => one.value === value))
    .map(([value, { label }]) => ({ value, label: label || WORDS.none, color: undefined }))
  return [...others, ...known]
    .map((one) => ({
      ...one,
      count: byValue.get(one.value)?.count ?? 0,
      sum: sum && byValue.get(one.value)?.sums[sum.name],
    }))
    .filter(
      ({ value, count }) =>
        count > 0 || (may && (moves === undefined || moves.some(({ to }) => to === value))),
    )
}

function targetsOf(
  { flow }: ResourceInfo,
  { by }: BoardPlan,
  heads: readonly Head[],
  from: string,
): ReadonlySet<string> {
  const all = heads.map(({ value }) => value).filter((value) => value !== from)
  if (flow?.field !== by.name) return new Set(all)
  const moves = flow.moves.filter((one) => one.from === from)
  return new Set(all.filter((value) => moves.some(({ to }) => to === value)))
}

function labelOf({ by }: BoardPlan, value: string): string {
  return choicesOf(by).find((one) => one.value === value)?.label ?? value
}

function columnQuery(
  resource: ResourceInfo,
  state: ListState,
  { by, card, sum }: BoardPlan,
  value: string,
): string {
  const known = new Set(resource.fields.map(({ name }) => name))
  const money = [...card, ...(sum ? [sum] : [])].flatMap(({ name, currency_field }) =>
    currency_field && known.has(currency_field) ? [name, currency_field] : [name],
  )
  const fields = ['id', titleField(resource), by.name, 'owner', 'modified', ...money]
  return new URLSearchParams({
    ...narrowing(state),
    [by.name]: value,
    fields: [...new Set(fields)].join(','),
    limit: String(MOST_CARDS),
    _titles: '1',
  }).toString()
}

function counted(answer: Groups, value: string, by: number): Groups {
  const isThere = answer.groups.some((group) => String(group.value ?? '') === value)
  const groups = isThere
    ? answer.groups.map((group) =>
        String(group.value ?? '') === value ? { ...group, count: group.count + by } : group,
      )
    : [...answer.groups, { value, label: value, count: by, sums: {} }]
  return { ...answer, groups }
}

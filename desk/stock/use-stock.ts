import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { useDesk } from '../boot/desk-context.ts'
import type { ListAnswer, RecordData } from '../data/types.ts'
import type { PagePart } from '../home/workspace-types.ts'
import { fieldOf, listPath } from '../work/use-work-page.ts'

/** What a warehouse has of an item. */
export interface Balance {
  readonly id: string
  readonly item: string
  readonly title: string
  readonly warehouse: string
  readonly warehouseTitle: string
  readonly onHand: number
  readonly reserved: number
  readonly ordered: number
  readonly forecast: number
}

/** Something that moved an item, with what was there after it. */
export interface Movement {
  readonly id: string
  readonly day: string
  readonly warehouse: string
  readonly qty: number
  readonly balance: number
  /** What moved it: its number, what it is called, and where it is seen. */
  readonly document: string
  readonly about: string
  readonly href: string | undefined
}

/** Balances asked for at once, and in all where no item is named. */
const AT_ONCE = 100
const MOST = 1_000

/** Movements of an item that are shown. */
const MOVEMENTS = 30

/** What all warehouses have, or of one item. */
export function useBalances(part: PagePart, item?: string): UseQueryResult<readonly Balance[]> {
  const { client } = useDesk()
  return useQuery({
    queryKey: ['list', part.resource, 'balances', item],
    queryFn: async () => {
      const rows: RecordData[] = []
      for (let total = 1; rows.length < Math.min(total, MOST); ) {
        const path = listPath(part, {
          ...{
            limit: String(AT_ONCE),
            offset: String(rows.length),
            sort: `${fieldOf(part, 'item')},id`,
          },
          ...{ _titles: '1', ...(item === undefined ? {} : { [fieldOf(part, 'item')]: item }) },
        })
        const { body } = await client.ask<ListAnswer>(path)
        if (body.data.length === 0) break
        rows.push(...body.data)
        total = body.meta.total
      }
      return rows.map((row) => balanceOf(part, row))
    },
  })
}

function balanceOf(part: PagePart, row: RecordData): Balance {
  const text = (role: string): string => String(row[fieldOf(part, role)] ?? '')
  const title = (role: string): string => row._titles?.[fieldOf(part, role)] ?? text(role)
  const number = (role: string): number => Number(row[fieldOf(part, role)] ?? 0)
  return {
    ...{ id: row.id, item: text('item'), title: title('item') },
    ...{ warehouse: text('warehouse'), warehouseTitle: title('warehouse') },
    ...{ onHand: number('on_hand'), reserved: number('reserved') },
    ...{ ordered: number('ordered'), forecast: number('forecast') },
  }
}

/** The last movements of an item, newest first; what was there after each is counted back from what is there now. */
export function useMovements(
  part: PagePart | undefined,
  item: string,
  onHand: number | undefined,
): readonly Movement[] | undefined {
  const { client, slugOf } = useDesk()
  const { data } = useQuery({
    queryKey: ['list', part?.resource ?? '', 'movements', item],
    queryFn: async () => {
      const path = listPath(part!, {
        ...{ [fieldOf(part!, 'item')]: item, sort: `-${fieldOf(part!, 'day')},-created` },
        ...{ limit: String(MOVEMENTS), _titles: '1' },
      })
      return (await client.ask<ListAnswer>(path)).body.data
    },
    enabled: part !== undefined,
  })
  if (!part || !data || onHand === undefined) return undefined
  const document = fieldOf(part, 'document')
  let balance = onHand
  return data.map((row) => {
    const qty = Number(row[fieldOf(part, 'qty')] ?? 0)
    const after = balance
    balance = exact(balance - qty)
    const id = String(row[document] ?? '')
    // The kind of a document stands in the field beside its number.
    const slug = slugOf(row[document.replace(/_(no|name)$/, '_type')])
    return {
      ...{ id: row.id, qty, balance: after, document: id, about: row._titles?.[document] ?? '' },
      day: String(row[fieldOf(part, 'day')] ?? ''),
      warehouse:
        row._titles?.[fieldOf(part, 'warehouse')] ?? String(row[fieldOf(part, 'warehouse')]),
      href: slug === '' ? undefined : `/${slug}/${encodeURIComponent(id)}`,
    }
  })
}

/** Sum of a number over balances, without what binary fractions add to it. */
export function sumOf(all: readonly Balance[], of: (one: Balance) => number): number {
  return exact(all.reduce((sum, one) => sum + of(one), 0))
}

function exact(number: number): number {
  return Math.round(number * 1e6) / 1e6
}

/** A count that is under way in this browser. */
export interface KeptCount {
  readonly warehouse: string
  /** Key that its record is made under, however often it is sent. */
  readonly key: string
  readonly rows: readonly CountedRow[]
}

/** What was counted of an item. */
export interface CountedRow {
  readonly item: string
  readonly title: string
  readonly qty: number
}

const PLACE = 'desk-count'

/** The count that was begun here, through a reload; undefined for none. */
export function keptCount(): KeptCount | undefined {
  try {
    return JSON.parse(localStorage.getItem(PLACE) ?? 'null') ?? undefined
  } catch (_notOurs) {
    return undefined
  }
}

/** Keeps a count; undefined forgets it. */
export function keepCount(count: KeptCount | undefined): void {
  if (count === undefined) localStorage.removeItem(PLACE)
  else localStorage.setItem(PLACE, JSON.stringify(count))
}

/** A count with another row: what was counted of an item before is what it was plus this. */
export function withCounted(
  count: KeptCount,
  item: Pick<CountedRow, 'item' | 'title'>,
  qty: number,
): KeptCount {
  const before = count.rows.find((row) => row.item === item.item)
  const others = count.rows.filter((row) => row.item !== item.item)
  const sum = Math.round(((before?.qty ?? 0) + qty) * 1e6) / 1e6
  return { ...count, rows: [{ ...item, qty: sum }, ...others] }
}

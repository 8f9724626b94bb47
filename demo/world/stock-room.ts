/** Stock as the flows believe it to be: what is on its way out is gone already, what comes in counts once written. */
export interface StockRoom {
  of(item: string, warehouse: string): number
  put(item: string, warehouse: string, quantity: number): void
  /** Takes as many as there are, at most `quantity`; how many that were. */
  take(item: string, warehouse: string, quantity: number): number
}

export function stockRoom(): StockRoom {
  const there = new Map<string, number>()
  const keyOf = (item: string, warehouse: string): string => `${item}::${warehouse}`
  const of: StockRoom['of'] = (item, warehouse) => there.get(keyOf(item, warehouse)) ?? 0
  const put: StockRoom['put'] = (item, warehouse, quantity) => {
    there.set(keyOf(item, warehouse), of(item, warehouse) + quantity)
  }
  return {
    of,
    put,
    take(item, warehouse, quantity) {
      const taken = Math.min(quantity, of(item, warehouse))
      put(item, warehouse, -taken)
      return taken
    },
  }
}

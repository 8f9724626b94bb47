import { useEffect, useState } from 'react'
import { useDesk } from '../boot/desk-context.ts'
import { isUnreached } from '../data/client.ts'
import type { Preview, Row } from '../data/types.ts'
import type { PagePart } from '../home/workspace-types.ts'
import { fieldOf } from '../work/use-work-page.ts'
import { estimate, rounded } from './amounts.ts'
import { keepCart, keptCart } from './kept.ts'
import { saleBody } from './sale-body.ts'
import type { CartLine, OpenTill, TillItem } from './till-types.ts'

/** Milliseconds after the last change of a cart until the server is asked. */
const SETTLED_MS = 150

/** What a cart comes to. */
export interface CartTotals {
  readonly total: number | undefined
  /** Amounts of the lines before taxes, where the server told them. */
  readonly amounts: readonly (number | undefined)[]
  /** Whether it is by the prices that the till keeps: nobody has confirmed it yet. */
  readonly isEstimate: boolean
  readonly isAsking: boolean
  readonly problem?: string
}

/** The cart of a sale. */
export interface Cart extends CartTotals {
  readonly lines: readonly CartLine[]
  readonly add: (item: TillItem) => void
  readonly setQty: (id: string, qty: number) => void
  readonly put: (lines: readonly CartLine[]) => void
}

/** The cart, with what the server makes of it. */
export function useCart(sales: PagePart, till: OpenTill, isOffline: boolean): Cart {
  const [lines, setLines] = useState(() => keptCart(till.id))
  useEffect(() => keepCart(till.id, lines), [till.id, lines])
  const totals = useTotals(sales, till, lines, isOffline)
  return {
    lines,
    ...totals,
    put: setLines,
    add(item) {
      setLines((all) =>
        all.some((one) => one.item.id === item.id)
          ? all.map((one) => (one.item.id === item.id ? { item, qty: one.qty + 1 } : one))
          : [...all, { item, qty: 1 }],
      )
    },
    setQty(id, qty) {
      setLines((all) =>
        qty > 0
          ? all.map((one) => (one.item.id === id ? { ...one, qty } : one))
          : all.filter((one) => one.item.id !== id),
      )
    },
  }
}

interface Answered {
  readonly of: readonly CartLine[]
  readonly total?: number
  readonly amounts?: readonly number[]
  readonly problem?: string
}

function useTotals(
  sales: PagePart,
  till: OpenTill,
  lines: readonly CartLine[],
  isOffline: boolean,
): CartTotals {
  const { client } = useDesk()
  const [answered, setAnswered] = useState<Answered>()
  useEffect(() => {
    if (lines.length === 0 || isOffline) return
    const over = new AbortController()
    async function ask(): Promise<Answered> {
      const path = `/v1/${sales.resource}?_preview=1`
      const body = saleBody(sales, { till, lines, taken: [] })
      const asked = await client.ask<Preview>(path, { method: 'POST', body, signal: over.signal })
      const { record, problems } = asked.body
      if (problems[0]) return { of: lines, problem: problems[0].message }
      const rows = (record[fieldOf(sales, 'rows')] ?? []) as readonly Row[]
      return {
        of: lines,
        total: rounded(Number(record[fieldOf(sales, 'total')])),
        amounts: rows.map((row) => Number(row[fieldOf(sales, 'rows.amount')])),
      }
    }
    const timer = setTimeout(() => {
      ask()
        .then(setAnswered)
        .catch((error: Error) => {
          if (over.signal.aborted) return
          setAnswered(isUnreached(error) ? { of: lines } : { of: lines, problem: error.message })
        })
    }, SETTLED_MS)
    return () => {
      clearTimeout(timer)
      over.abort()
    }
  }, [client, sales, till, lines, isOffline])
  if (lines.length === 0) return { total: 0, amounts: [], isEstimate: false, isAsking: false }
  const isTold = !isOffline && answered?.of === lines
  if (isTold && answered.problem !== undefined)
    return {
      total: undefined,
      amounts: [],
      isEstimate: false,
      isAsking: false,
      problem: answered.problem,
    }
  if (isTold && answered.total !== undefined)
    return {
      total: answered.total,
      amounts: answered.amounts ?? [],
      isEstimate: false,
      isAsking: false,
    }
  // Until the server has answered, and where it cannot be reached, the till counts by the prices that it keeps.
  const isAsking = !isOffline && !isTold
  return { total: estimate(lines), amounts: [], isEstimate: !isAsking, isAsking }
}

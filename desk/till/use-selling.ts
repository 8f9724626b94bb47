import { useState } from 'react'
import { useDesk } from '../boot/desk-context.ts'
import type { PagePart } from '../home/workspace-types.ts'
import { useToast } from '../ui/toast.tsx'
import { WORK } from '../words/work/en.ts'
import { fieldOf } from '../work/use-work-page.ts'
import { rounded, sumOf } from './amounts.ts'
import { saleBody } from './sale-body.ts'
import type { OpenTill, QueuedSale, Taken, TillItem } from './till-types.ts'
import type { Cart } from './use-cart.ts'
import type { Sales } from './use-sales.ts'

/** Where a sale is: in the cart, at the money, or made. */
export type Step = 'cart' | 'pay' | 'sold'

interface Counter {
  readonly part: PagePart
  readonly till: OpenTill
  readonly items: readonly TillItem[]
  readonly cart: Cart
  readonly sales: Sales
}

/** How a sale goes from the cart to the money and into what is kept, and back where it was refused. */
export function useSelling({ part, till, items, cart, sales }: Counter) {
  const { boot } = useDesk()
  const tell = useToast()
  const [step, setStep] = useState<Step>('cart')
  const [last, setLast] = useState<QueuedSale>()
  return {
    step,
    setStep,
    last,
    sell(taken: readonly Taken[]): void {
      const sale = saleOf(part, { till, cart, taken, person: boot.person.name })
      if (!sales.add(sale)) {
        tell(WORK.noRoom, 'problem')
        return
      }
      setLast(sale)
      setStep('sold')
      cart.put([])
    },
    /** Puts what was refused back into the cart, where it is changed and sold again. */
    reopen(sale: QueuedSale): void {
      const rows = sale.body[fieldOf(part, 'rows')] as readonly Record<string, unknown>[]
      const lines = rows.flatMap((row) => {
        const item = items.find(({ id }) => id === row[fieldOf(part, 'rows.item')])
        return item ? [{ item, qty: Number(row[fieldOf(part, 'rows.qty')]) }] : []
      })
      cart.put(lines)
      sales.drop(sale)
      setStep('cart')
    },
  }
}

interface Paid {
  readonly till: OpenTill
  readonly cart: Cart
  readonly taken: readonly Taken[]
  readonly person: string
}

/** The sale of a cart that was paid, as it is kept and sent. */
function saleOf(part: PagePart, { till, cart, taken, person }: Paid): QueuedSale {
  const { lines, amounts, total = 0, isEstimate } = cart
  const now = new Date()
  return {
    ...{ key: crypto.randomUUID(), at: now.toISOString(), person, till: till.id, taken, total },
    lines: lines.map(({ item, qty }, at) => ({
      ...{ title: item.title, qty },
      amount: amounts[at] ?? rounded((item.price ?? 0) * qty),
    })),
    change: Math.max(0, rounded(sumOf(taken) - total)),
    body: saleBody(part, { till, taken, lines, ...(isEstimate ? { day: dayOf(now) } : {}) }),
    state: 'waiting',
  }
}

/** The day where the till stands, `2026-11-28`. */
function dayOf(date: Date): string {
  const two = (part: number): string => String(part).padStart(2, '0')
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
}

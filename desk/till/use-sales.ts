import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { useDesk } from '../boot/desk-context.ts'
import type { RecordData } from '../data/types.ts'
import type { PagePart } from '../home/workspace-types.ts'
import { WORK } from '../words/work/en.ts'
import { fieldOf } from '../work/use-work-page.ts'
import { rounded, sumOf } from './amounts.ts'
import { dropSale, keepSale, keptSales } from './kept.ts'
import { type Sent, sendSale } from './send-sale.ts'
import type { QueuedSale } from './till-types.ts'

/** Milliseconds between two tries while the network is away. */
const TRY_AGAIN_MS = 4_000

/** A sale that has been booked, as long as its page shows it. */
export interface BookedSale {
  readonly key: string
  readonly id: string
  readonly record: RecordData
}

/** The sales of this browser that are not booked yet, and what is done with them. */
export interface Sales {
  readonly kept: readonly QueuedSale[]
  readonly booked: BookedSale | undefined
  /** Keeps a sale and sends it as soon as may be. False where the browser has no room for it. */
  readonly add: (sale: QueuedSale) => boolean
  readonly retry: (sale: QueuedSale) => void
  /** Books a sale with the total of the server; what was not paid in cash is taken to be of that total. */
  readonly accept: (sale: QueuedSale) => void
  readonly drop: (sale: QueuedSale) => void
}

/** Sends what is waiting in the order it was sold, one after the other and by one page alone; goes on by itself when the network is back. */
export function useSales(sales: PagePart): Sales {
  const { client, boot } = useDesk()
  const queries = useQueryClient()
  const [kept, setKept] = useState(keptSales)
  const [booked, setBooked] = useState<BookedSale>()
  const refresh = (): void =>
    setKept((before) => {
      const now = keptSales()
      return JSON.stringify(now) === JSON.stringify(before) ? before : now
    })
  const isOurs = ({ person, state }: QueuedSale): boolean =>
    state === 'waiting' && person === boot.person.name

  /** Answers whether what comes behind may be tried. */
  async function sendNext(sale: QueuedSale): Promise<boolean> {
    const keep = (one: QueuedSale): void => void keepSale(one)
    const sent: Sent = await sendSale({ client, sales, keep, tooOld: WORK.tooOld }, sale)
    if (sent.kind === 'unreached') return false
    if (sent.kind === 'stopped') keepSale(sent.sale)
    else {
      dropSale(sale)
      setBooked({ key: sale.key, id: sent.id, record: sent.record })
      void queries.invalidateQueries({ queryKey: ['list'] })
    }
    return true
  }

  async function sendAll(): Promise<void> {
    const tried = new Set<string>()
    for (;;) {
      const next = keptSales().find((one) => isOurs(one) && !tried.has(one.key))
      if (!next) return
      tried.add(next.key)
      const goesOn = await sendNext(next)
      refresh()
      if (!goesOn) return
    }
  }

  const flush = useFlush(() => boot.csrf !== '' && keptSales().some(isOurs), sendAll, refresh)

  function change(sale: QueuedSale): boolean {
    const isKept = keepSale(sale)
    refresh()
    void flush()
    return isKept
  }

  return {
    kept,
    booked,
    add: change,
    retry({ message: _, ...sale }) {
      change({ ...sale, state: 'waiting' })
    },
    accept(sale) {
      change(withTotal(sale, sales))
    },
    drop(sale) {
      dropSale(sale)
      refresh()
    },
  }
}

/** Runs the work where there is some: now, when the network is back, and every few seconds; never twice at a time. */
function useFlush(
  hasWork: () => boolean,
  work: () => Promise<void>,
  onEnd: () => void,
): () => Promise<void> {
  const isSending = useRef(false)
  async function run(): Promise<void> {
    // Without a token of the session the Desk itself is not back yet.
    if (isSending.current) return
    // Another page, or the one before, may have sent them.
    if (!hasWork()) {
      onEnd()
      return
    }
    isSending.current = true
    try {
      await alone(work)
    } finally {
      isSending.current = false
      onEnd()
    }
    // What was sold meanwhile found this one at work.
    if (navigator.onLine && hasWork()) setTimeout(() => void again(), 50)
  }
  const again = useEffectEvent(run)
  useEffect(() => {
    const flush = (): void => void again()
    flush()
    addEventListener('online', flush)
    const timer = setInterval(flush, TRY_AGAIN_MS)
    return () => {
      removeEventListener('online', flush)
      clearInterval(timer)
    }
  }, [])
  return run
}

/** One page of the browser sends at a time. */
async function alone(work: () => Promise<void>): Promise<void> {
  if (navigator.locks === undefined) return work()
  await navigator.locks.request('desk-till', { ifAvailable: true }, async (lock) => {
    if (lock) await work()
  })
}

/** The sale with the total of the server: the difference goes to what was not paid in cash, else into the change. */
function withTotal(sale: QueuedSale, sales: PagePart): QueuedSale {
  const total = sale.serverTotal ?? sale.total
  const adjusted = sale.taken.findIndex(({ isCash }) => !isCash)
  const taken = sale.taken.map((one, at) =>
    at === adjusted ? { ...one, amount: rounded(one.amount + total - sale.total) } : one,
  )
  const { message: _, ...rest } = sale
  return {
    ...rest,
    state: 'waiting',
    total,
    taken,
    change: Math.max(0, rounded(sumOf(taken) - total)),
    body: {
      ...sale.body,
      [fieldOf(sales, 'ways')]: taken.map(({ way, amount }) => ({
        [fieldOf(sales, 'ways.way')]: way,
        [fieldOf(sales, 'ways.amount')]: amount,
      })),
    },
  }
}

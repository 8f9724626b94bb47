import { type ReactElement, useState } from 'react'
import { useDesk } from '../boot/desk-context.ts'
import type { PagePart } from '../home/workspace-types.ts'
import { Button } from '../ui/button.tsx'
import { Icon } from '../ui/icon.tsx'
import { useToast } from '../ui/toast.tsx'
import { WORK } from '../words/work/en.ts'
import { fieldOf } from '../work/use-work-page.ts'
import { money } from './money.ts'
import { bookedSlip, keptSlip, printSlip } from './slip.ts'
import type { QueuedSale } from './till-types.ts'
import type { BookedSale } from './use-sales.ts'

interface SoldPanelProps {
  readonly sale: QueuedSale
  readonly booked: BookedSale | undefined
  /** The same sale while it is not booked. */
  readonly kept: QueuedSale | undefined
  readonly part: PagePart
  readonly onNext: () => void
}

/** A sale that was just made: the change to give, whether it is booked, its slip, and the next one. */
export function SoldPanel({ sale, booked, kept, part, onNext }: SoldPanelProps): ReactElement {
  const { boot, formats } = useDesk()
  const tell = useToast()
  const [isPrinting, setPrinting] = useState(false)
  // What is booked is told as the server has it.
  const change = booked ? Number(booked.record[fieldOf(part, 'change')]) : sale.change
  const total = booked ? Number(booked.record[fieldOf(part, 'total')]) : sale.total
  async function print(): Promise<void> {
    setPrinting(true)
    try {
      await printSlip(
        booked
          ? await bookedSlip(part.resource, booked.id)
          : keptSlip(sale, boot.workspace.label, formats),
      )
    } catch (error) {
      tell((error as Error).message, 'problem')
    } finally {
      setPrinting(false)
    }
  }
  return (
    <div className="sold">
      <p className="sold-mark" data-booked={booked !== undefined}>
        <Icon name={booked ? 'circle-check' : 'circle'} size={28} />
      </p>
      <p className="sold-change">
        <span>{WORK.change}</span>
        <strong>{money(change, formats)}</strong>
      </p>
      <p className="quiet">{WORK.ofTotal(money(total, formats))}</p>
      <p role="status" className="sold-state">
        {booked
          ? WORK.booked(booked.id)
          : kept && kept.state !== 'waiting'
            ? WORK.needsMending
            : WORK.notBooked}
      </p>
      <div className="sold-ways">
        <Button kind="primary" autoFocus onClick={onNext}>
          {WORK.nextSale}
        </Button>
        <Button icon="printer" busy={isPrinting} onClick={() => void print()}>
          {WORK.receipt}
        </Button>
      </div>
    </div>
  )
}

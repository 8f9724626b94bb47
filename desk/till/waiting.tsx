import { type ReactElement, useState } from 'react'
import { Link } from 'wouter'
import { useDesk } from '../boot/desk-context.ts'
import { formatMoment } from '../data/format.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Icon } from '../ui/icon.tsx'
import { WORK } from '../words/work/en.ts'
import { money } from './money.ts'
import type { QueuedSale } from './till-types.ts'
import type { Sales } from './use-sales.ts'

interface WaitingProps {
  readonly sales: Sales
  /** Slug of the resource that sales become. */
  readonly slug: string
  /** Puts a sale back into the cart, where there is one. */
  readonly onReopen?: ((sale: QueuedSale) => void) | undefined
}

/** Sales that are not booked: how many wait, and those that somebody has to look at. */
export function Waiting({ sales, slug, onReopen }: WaitingProps): ReactElement | null {
  const { boot, formats } = useDesk()
  const [givenUp, setGivenUp] = useState<QueuedSale>()
  const { kept } = sales
  if (kept.length === 0) return null
  const stopped = kept.filter(
    ({ state, person }) => state !== 'waiting' || person !== boot.person.name,
  )
  const waiting = kept.length - stopped.length
  return (
    <section className="till-waiting" aria-label={WORK.notBookedSales}>
      {waiting > 0 ? (
        <p role="status">
          <Icon name="refresh-cw" size={14} />
          {WORK.waiting(String(waiting))}
        </p>
      ) : null}
      <ul>
        {stopped.map((sale) => (
          <Stopped
            key={sale.key}
            sale={sale}
            sales={sales}
            slug={slug}
            onReopen={onReopen}
            onGiveUp={setGivenUp}
          />
        ))}
      </ul>
      {givenUp ? (
        <Dialog title={WORK.giveUpTitle} onClose={() => setGivenUp(undefined)}>
          <p>{WORK.giveUpAbout(money(givenUp.total, formats))}</p>
          <div className="dialog-actions">
            <Button onClick={() => setGivenUp(undefined)}>{WORK.keepIt}</Button>
            <Button
              kind="danger"
              onClick={() => {
                sales.drop(givenUp)
                setGivenUp(undefined)
              }}
            >
              {WORK.giveUp}
            </Button>
          </div>
        </Dialog>
      ) : null}
    </section>
  )
}

interface StoppedProps extends WaitingProps {
  readonly sale: QueuedSale
  readonly onGiveUp: (sale: QueuedSale) => void
}

/** A sale that goes no further by itself: why, and what can be done. */
function Stopped({ sale, sales, slug, onReopen, onGiveUp }: StoppedProps): ReactElement {
  const { boot, formats } = useDesk()
  const isOther = sale.person !== boot.person.name
  const differs = sale.state === 'differs'
  const told = money(sale.serverTotal ?? 0, formats)
  const why = isOther ? WORK.ofOther(sale.person) : differs ? WORK.differs(told) : sale.message
  return (
    <li>
      <span className="waiting-what">
        <strong>
          {money(sale.total, formats)} · {formatMoment(sale.at, formats)}
        </strong>
        <span className="quiet">
          {sale.lines.map(({ qty, title }) => `${qty} × ${title}`).join(', ')}
        </span>
        <span className="waiting-why">{why}</span>
      </span>
      {isOther ? null : (
        <span className="waiting-ways">
          <Button kind="primary" onClick={() => (differs ? sales.accept(sale) : sales.retry(sale))}>
            {differs ? WORK.bookWith(told) : WORK.tryAgain}
          </Button>
          {sale.id !== undefined ? (
            <Link className="button plain" href={`/${slug}/${encodeURIComponent(sale.id)}`}>
              {WORK.openDraft}
            </Link>
          ) : onReopen && sale.triedAt === undefined ? (
            <Button onClick={() => onReopen(sale)}>{WORK.backIntoCart}</Button>
          ) : null}
          <Button onClick={() => onGiveUp(sale)}>{WORK.giveUp}</Button>
        </span>
      )}
    </li>
  )
}

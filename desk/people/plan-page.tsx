import { type ReactElement, useState } from 'react'
import { useDesk } from '../boot/desk-context.ts'
import type { SystemPage } from '../developer/developer-types.ts'
import { useChange, useSystem } from '../developer/use-system.ts'
import { NotFound } from '../shell/not-found.tsx'
import { useServing } from '../together/serving.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Icon } from '../ui/icon.tsx'
import { Pill } from '../ui/pill.tsx'
import { PageSkeleton } from '../ui/skeleton.tsx'
import { useToast } from '../ui/toast.tsx'
import { WORDS } from '../words/en.ts'
import { PAGES } from '../words/pages/en.ts'

interface Tier {
  readonly slug: string
  readonly label: string
  readonly price_per_user_month: number
  readonly currency: string
  readonly seats: number | null
  readonly includes: readonly string[]
  readonly current: boolean
}

/** The plan of the workspace with its seats, and the others there are. */
export function PlanPage(): ReactElement {
  const { formats } = useDesk()
  const users = useServing('users')
  const { data, error } = useSystem<{ readonly data: readonly Tier[] }>('/v1/tiers')
  const people = useSystem<SystemPage<unknown>>(
    `/v1/${users?.slug}?enabled=true&fields=id&limit=1`,
    users !== undefined,
  )
  const [wanted, setWanted] = useState<Tier>()
  if (error) return <NotFound message={error.message} />
  if (!data) return <PageSkeleton />
  const current = data.data.find((tier) => tier.current)
  const seats = people.data?.meta.total
  const price = ({ price_per_user_month, currency }: Tier): string =>
    new Intl.NumberFormat(formats.locale, {
      style: 'currency',
      currency,
      maximumFractionDigits: 0,
    }).format(price_per_user_month)
  return (
    <>
      <header className="part-head">
        <div>
          <h1>{PAGES.peopleParts.plan}</h1>
          <p className="quiet">
            {current && seats !== undefined
              ? PAGES.seatsTaken(String(seats), current.seats === null ? '' : String(current.seats))
              : ''}
          </p>
        </div>
      </header>
      <ul className="plans">
        {data.data.map((tier) => (
          <li key={tier.slug} data-current={tier.current}>
            <h2>
              {tier.label} {tier.current ? <Pill text={PAGES.yourPlan} color="blue" /> : null}
            </h2>
            <p className="plan-price">
              <strong>{price(tier)}</strong>
              <span className="quiet"> {PAGES.perPerson}</span>
            </p>
            <ul>
              {tier.includes.map((one) => (
                <li key={one}>
                  <Icon name="check" size={14} />
                  {one}
                </li>
              ))}
            </ul>
            {tier.current ? null : (
              <Button onClick={() => setWanted(tier)}>{PAGES.takePlan(tier.label)}</Button>
            )}
          </li>
        ))}
      </ul>
      {wanted ? <TakePlan tier={wanted} onClose={() => setWanted(undefined)} /> : null}
    </>
  )
}

function TakePlan({ tier, onClose }: { tier: Tier; onClose: () => void }): ReactElement {
  const { change, isBusy } = useChange()
  const tell = useToast()
  async function take(): Promise<void> {
    const path = `/v1/tiers/${tier.slug}/subscribe`
    const made = await change<{ readonly applied: boolean; readonly checkout_url?: string }>(
      'POST',
      path,
      {},
    )
    if (!made) return
    if (made.checkout_url) return location.assign(made.checkout_url)
    tell(PAGES.planTaken(tier.label))
    // What the menu has follows from the plan.
    location.reload()
  }
  return (
    <Dialog title={PAGES.takePlan(tier.label)} onClose={onClose}>
      <p>{PAGES.takePlanAbout}</p>
      <div className="dialog-actions">
        <Button onClick={onClose}>{WORDS.back}</Button>
        <Button kind="primary" busy={isBusy} onClick={() => void take()}>
          {PAGES.takePlan(tier.label)}
        </Button>
      </div>
    </Dialog>
  )
}

import { type ReactElement, useState } from 'react'
import { useDesk } from '../boot/desk-context.ts'
import { formatAge, formatMoment } from '../data/format.ts'
import { Button, IconButton } from '../ui/button.tsx'
import { Pill } from '../ui/pill.tsx'
import { PageSkeleton } from '../ui/skeleton.tsx'
import { useToast } from '../ui/toast.tsx'
import { PAGES } from '../words/pages/en.ts'
import { DeliverySheet } from './delivery-sheet.tsx'
import { type Attempt, isOk, type SystemPage, type Webhook } from './developer-types.ts'
import { useChange, useSystem } from './use-system.ts'

const OUTCOMES = ['', 'ok', 'failed'] as const
type Outcome = (typeof OUTCOMES)[number]
const MOST = 50

/** Every attempt to tell an address, the newest first; each shows its request and answer, and is sent again. */
export function DeliveryLog({ webhook }: { webhook: Webhook }): ReactElement {
  const tell = useToast()
  const { change, isBusy } = useChange()
  const [outcome, setOutcome] = useState<Outcome>('')
  const [shown, setShown] = useState<Attempt>()
  const path = `/v1/webhooks/${webhook.id}`
  const query = outcome === '' ? '' : `&outcome=${outcome}`
  const { data, refetch, isFetching } = useSystem<SystemPage<Attempt>>(
    `${path}/deliveries?limit=${MOST}${query}`,
  )
  const recover = async (since: string): Promise<void> => {
    const made = await change<{ readonly queued?: number }>('POST', `${path}/recover`, { since })
    if (made) tell(PAGES.sentAgain)
  }
  return (
    <section className="delivery-log" aria-label={PAGES.deliveries}>
      <header>
        <h2>{PAGES.deliveries}</h2>
        <Outcomes chosen={outcome} onChange={setOutcome} />
        <IconButton
          icon="refresh-cw"
          label={PAGES.readAnew}
          aria-busy={isFetching}
          onClick={() => void refetch()}
        />
        <Button
          icon="rotate-ccw"
          busy={isBusy}
          onClick={() => void recover(new Date(Date.now() - 86_400_000).toISOString())}
        >
          {PAGES.resendFailed}
        </Button>
      </header>
      {data ? null : <PageSkeleton />}
      {data?.data.length === 0 ? <p className="quiet part-empty">{PAGES.nothingSent}</p> : null}
      {data && data.data.length > 0 ? (
        <div className="part-table">
          <table>
            <thead>
              <tr>
                <th scope="col">{PAGES.outcome}</th>
                <th scope="col">{PAGES.event}</th>
                <th scope="col">{PAGES.attempt}</th>
                <th scope="col">{PAGES.took}</th>
                <th scope="col">{PAGES.when}</th>
                <th scope="col">
                  <span className="visually-hidden">{PAGES.resend}</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {data.data.map((one) => (
                <AttemptRow
                  key={one.id}
                  attempt={one}
                  onShow={() => setShown(one)}
                  onResend={() =>
                    void change('POST', `${path}/deliveries/${one.id}/resend`, {}).then(
                      (made) => made && tell(PAGES.sentAgain),
                    )
                  }
                />
              ))}
            </tbody>
          </table>
        </div>
      ) : null}
      {shown ? (
        <DeliverySheet path={path} attempt={shown} onClose={() => setShown(undefined)} />
      ) : null}
    </section>
  )
}

interface OutcomesProps {
  readonly chosen: Outcome
  readonly onChange: (outcome: Outcome) => void
}

function Outcomes({ chosen, onChange }: OutcomesProps): ReactElement {
  return (
    <fieldset className="outcomes">
      <legend className="visually-hidden">{PAGES.outcome}</legend>
      {OUTCOMES.map((one) => (
        <label key={one}>
          <input
            type="radio"
            name="outcome"
            checked={chosen === one}
            onChange={() => onChange(one)}
          />
          {PAGES.outcomes[one || 'all']}
        </label>
      ))}
    </fieldset>
  )
}

interface RowProps {
  readonly attempt: Attempt
  readonly onShow: () => void
  readonly onResend: () => void
}

function AttemptRow({ attempt, onShow, onResend }: RowProps): ReactElement {
  const { formats } = useDesk()
  const { event, status_code, latency_ms, attempted_at } = attempt
  return (
    <tr>
      <td>
        <Pill
          text={String(status_code ?? PAGES.noAnswer)}
          color={isOk(attempt) ? 'green' : 'red'}
        />
      </td>
      <th scope="row">
        <button type="button" className="link-button" onClick={onShow}>
          {event}
        </button>
      </th>
      <td>{attempt.attempt}</td>
      <td>{latency_ms} ms</td>
      <td title={formatMoment(attempted_at, formats)}>{formatAge(attempted_at, formats)}</td>
      <td>
        <IconButton icon="rotate-ccw" label={PAGES.resendOf(event)} onClick={onResend} />
      </td>
    </tr>
  )
}

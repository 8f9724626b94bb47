import type { ReactElement } from 'react'
import { useDesk } from '../boot/desk-context.ts'
import { formatMoment } from '../data/format.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Pill } from '../ui/pill.tsx'
import { useToast } from '../ui/toast.tsx'
import { PAGES } from '../words/pages/en.ts'
import { type Attempt, isOk } from './developer-types.ts'
import { Text } from './text.tsx'
import { useChange, useSystem } from './use-system.ts'

interface SheetProps {
  /** Path of the webhook. */
  readonly path: string
  readonly attempt: Attempt
  readonly onClose: () => void
}

/** One attempt whole: what was sent, and what was answered. */
export function DeliverySheet({ path, attempt, onClose }: SheetProps): ReactElement {
  const { formats } = useDesk()
  const tell = useToast()
  const { change, isBusy } = useChange()
  const { data } = useSystem<{ readonly body: unknown }>(
    `${path}/deliveries/${attempt.delivery_id}`,
  )
  const headers = Object.entries(attempt.request_headers).map(
    ([name, value]) => `${name}: ${value}`,
  )
  return (
    <Dialog title={attempt.event} onClose={onClose} wide>
      <p className="sheet-facts">
        <Pill
          text={String(attempt.status_code ?? PAGES.noAnswer)}
          color={isOk(attempt) ? 'green' : 'red'}
        />
        <span className="quiet">
          {attempt.latency_ms} ms · {PAGES.attemptOf(String(attempt.attempt))} ·{' '}
          {formatMoment(attempt.attempted_at, formats)}
        </span>
      </p>
      <h3>{PAGES.request}</h3>
      <Text>{[`POST ${attempt.url}`, ...headers].join('\n')}</Text>
      <Text>
        {data ? (data.body === null ? PAGES.noLonger : JSON.stringify(data.body, null, 2)) : '…'}
      </Text>
      <h3>{PAGES.response}</h3>
      <Text>{attempt.response_preview || attempt.error || PAGES.noAnswer}</Text>
      {attempt.next_attempt_at ? (
        <p className="quiet">{PAGES.nextAttempt(formatMoment(attempt.next_attempt_at, formats))}</p>
      ) : null}
      <div className="dialog-actions">
        <Button
          kind="primary"
          icon="rotate-ccw"
          busy={isBusy}
          onClick={() =>
            void change('POST', `${path}/deliveries/${attempt.id}/resend`, {}).then((made) => {
              if (!made) return
              tell(PAGES.sentAgain)
              onClose()
            })
          }
        >
          {PAGES.resend}
        </Button>
      </div>
    </Dialog>
  )
}

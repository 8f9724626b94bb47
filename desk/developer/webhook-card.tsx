import type { ReactElement } from 'react'
import { Link } from 'wouter'
import { useDesk } from '../boot/desk-context.ts'
import { formatAge } from '../data/format.ts'
import { Button } from '../ui/button.tsx'
import { Icon } from '../ui/icon.tsx'
import { Menu } from '../ui/menu.tsx'
import { Pill } from '../ui/pill.tsx'
import { useToast } from '../ui/toast.tsx'
import { WORDS } from '../words/en.ts'
import { PAGES } from '../words/pages/en.ts'
import { type Attempt, isOk, type SystemPage, type Webhook } from './developer-types.ts'
import { useChange, useSystem } from './use-system.ts'

interface CardProps {
  readonly webhook: Webhook
  readonly isChosen: boolean
  readonly onEdit: () => void
  readonly onSecret: (secret: string) => void
}

/** Attempts that the bars of a card show. */
const BARS = 30
/** Seconds in which an old secret signs too. */
const OVERLAP = 86_400

/** An address with how well it takes what it is told, and what can be done with it. */
export function WebhookCard({ webhook, isChosen, onEdit, onSecret }: CardProps): ReactElement {
  const { formats } = useDesk()
  const tell = useToast()
  const { change, isBusy } = useChange()
  const path = `/v1/webhooks/${webhook.id}`
  const { data } = useSystem<SystemPage<Attempt>>(`${path}/deliveries?limit=${BARS}`)
  const attempts = data?.data ?? []
  const ok = attempts.filter(isOk).length
  const [tone, state] = healthOf(webhook, attempts.length, ok)
  const isPaused = webhook.status !== 'active'
  return (
    <li className="webhook-card" data-chosen={isChosen}>
      <header>
        <h2>
          <Link href={`/developer/webhooks?id=${webhook.id}`}>
            {webhook.label || hostOf(webhook)}
          </Link>
        </h2>
        <Pill text={state} color={tone} />
        <Menu
          label={PAGES.webhookMenu(webhook.label || hostOf(webhook))}
          trigger={<Icon name="ellipsis" />}
          items={[
            { label: PAGES.change, icon: 'pencil', onSelect: onEdit },
            {
              label: isPaused ? PAGES.goOn : PAGES.pause,
              icon: isPaused ? 'play' : 'pause',
              onSelect: () =>
                void change('PATCH', path, { status: isPaused ? 'active' : 'paused' }),
            },
            {
              label: PAGES.rotate,
              icon: 'refresh-cw',
              onSelect: () =>
                void change<{ readonly secret: string }>('POST', `${path}/rotate`, {
                  grace_seconds: OVERLAP,
                }).then((made) => made && onSecret(made.secret)),
            },
            'line',
            {
              label: WORDS.remove(webhook.label || hostOf(webhook)),
              icon: 'trash-2',
              danger: true,
              onSelect: () => void change('DELETE', path),
            },
          ]}
        />
      </header>
      <code className="webhook-url">{webhook.url}</code>
      <Events webhook={webhook} />
      {webhook.paused_because ? <p className="field-error">{webhook.paused_because}</p> : null}
      <footer>
        <Bars attempts={attempts} />
        <span className="quiet">
          {attempts.length === 0
            ? PAGES.nothingSent
            : PAGES.okOf(
                String(Math.round((ok / attempts.length) * 100)),
                webhook.last_delivery ? formatAge(webhook.last_delivery.at, formats) : '',
              )}
        </span>
        <Button
          icon="send"
          busy={isBusy}
          onClick={() =>
            void change('POST', `${path}/test`, {}).then((made) => made && tell(PAGES.testSent))
          }
        >
          {PAGES.sendTest}
        </Button>
      </footer>
    </li>
  )
}

function Events({ webhook }: { webhook: Webhook }): ReactElement {
  return (
    <p className="webhook-events">
      {webhook.events.slice(0, 4).map((event) => (
        <code key={event}>{event}</code>
      ))}
      {webhook.events.length > 4 ? (
        <span className="quiet">{PAGES.moreFilters(String(webhook.events.length - 4))}</span>
      ) : null}
    </p>
  )
}

function hostOf({ url }: Webhook): string {
  try {
    return new URL(url).host
  } catch (_noAddress) {
    return url
  }
}

function healthOf(
  { status, failing_since }: Webhook,
  count: number,
  ok: number,
): readonly [tone: string, text: string] {
  if (status === 'disabled') return ['red', PAGES.health.disabled]
  if (status !== 'active') return ['grey', PAGES.health.paused]
  if (failing_since) return ['red', PAGES.health.failing]
  if (count === 0) return ['grey', PAGES.health.quiet]
  return ok / count < 0.9 ? ['yellow', PAGES.health.unsteady] : ['green', PAGES.health.healthy]
}

/** The last attempts, the oldest first: how long each took, and whether it was taken. */
function Bars({ attempts }: { attempts: readonly Attempt[] }): ReactElement {
  const slowest = Math.max(1, ...attempts.map(({ latency_ms }) => latency_ms))
  return (
    <svg className="bars" width={attempts.length * 5} height={26} aria-hidden="true">
      {attempts.toReversed().map((one, at) => {
        const tall = 5 + (one.latency_ms / slowest) * 20
        return (
          <rect
            key={one.id}
            x={at * 5}
            y={26 - tall}
            width={3.5}
            height={tall}
            rx={1.5}
            data-ok={isOk(one)}
          />
        )
      })}
    </svg>
  )
}

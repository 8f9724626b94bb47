import { type ReactElement, useState } from 'react'
import { useSearch } from 'wouter'
import { NotFound } from '../shell/not-found.tsx'
import { Button } from '../ui/button.tsx'
import { PageSkeleton } from '../ui/skeleton.tsx'
import { PAGES } from '../words/pages/en.ts'
import { DeliveryLog } from './delivery-log.tsx'
import type { SystemPage, Webhook } from './developer-types.ts'
import { SecretOnce } from './secret-once.tsx'
import { useSystem } from './use-system.ts'
import { WebhookCard } from './webhook-card.tsx'
import { WebhookForm } from './webhook-form.tsx'

/** Addresses that are told of what happens, how well that goes, and every attempt. */
export function WebhooksPage(): ReactElement {
  const { data, error } = useSystem<SystemPage<Webhook>>('/v1/webhooks?limit=100')
  const [editing, setEditing] = useState<Webhook | 'new'>()
  const [secret, setSecret] = useState<string>()
  const chosen = new URLSearchParams(useSearch()).get('id')
  if (error) return <NotFound message={error.message} />
  if (!data) return <PageSkeleton />
  const webhook = data.data.find(({ id }) => id === chosen) ?? data.data[0]
  return (
    <>
      <header className="part-head">
        <div>
          <h1>{PAGES.developerParts.webhooks}</h1>
          <p className="quiet">{PAGES.webhooksAbout}</p>
        </div>
        <Button kind="primary" icon="plus" onClick={() => setEditing('new')}>
          {PAGES.newWebhook}
        </Button>
      </header>
      {data.data.length === 0 ? (
        <div className="empty">
          <h2>{PAGES.noWebhook}</h2>
          <p className="quiet">{PAGES.noWebhookAbout}</p>
        </div>
      ) : (
        <ul className="webhook-cards">
          {data.data.map((one) => (
            <WebhookCard
              key={one.id}
              webhook={one}
              isChosen={one === webhook}
              onEdit={() => setEditing(one)}
              onSecret={setSecret}
            />
          ))}
        </ul>
      )}
      {webhook ? <DeliveryLog key={webhook.id} webhook={webhook} /> : null}
      {editing === undefined ? null : (
        <WebhookForm
          webhook={editing === 'new' ? undefined : editing}
          onClose={() => setEditing(undefined)}
          onMade={(made) => {
            setEditing(undefined)
            if (made) setSecret(made)
          }}
        />
      )}
      {secret === undefined ? null : (
        <SecretOnce
          title={PAGES.webhookSecret}
          secret={secret}
          onClose={() => setSecret(undefined)}
        />
      )}
    </>
  )
}

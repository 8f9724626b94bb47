import { type ReactElement, useEffect, useEffectEvent, useState } from 'react'
import { useDesk } from '../boot/desk-context.ts'
import { recordPath } from '../data/client.ts'
import { formatMoment } from '../data/format.ts'
import type { RecordData, ResourceInfo } from '../data/types.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { TextField } from '../ui/fields.tsx'
import { useToast } from '../ui/toast.tsx'
import { WORDS } from '../words/en.ts'

interface MadeLink {
  readonly id: string
  readonly url: string
  readonly expires: string
}

interface LinkProps {
  readonly resource: ResourceInfo
  readonly record: RecordData
  readonly onClose: () => void
}

/** A link by which somebody without an account sees the paper of a record; it can be ended at once. */
export function LinkDialog({ resource, record, onClose }: LinkProps): ReactElement {
  const { client, formats } = useDesk()
  const tell = useToast()
  const [link, setLink] = useState<MadeLink>()
  const make = useEffectEvent(async (isWanted: () => boolean) => {
    try {
      const path = recordPath(resource.slug, record.id, 'links')
      const { body } = await client.ask<MadeLink>(path, { method: 'POST', body: {} })
      if (isWanted()) setLink(body)
    } catch (error) {
      tell((error as Error).message, 'problem')
      onClose()
    }
  })
  useEffect(() => {
    let isWanted = true
    void make(() => isWanted)
    return () => {
      isWanted = false
    }
  }, [])
  async function end(): Promise<void> {
    try {
      await client.ask(`/v1/links/${link?.id}`, { method: 'DELETE' })
      tell(WORDS.linkEnded)
      onClose()
    } catch (error) {
      tell((error as Error).message, 'problem')
    }
  }
  return (
    <Dialog title={WORDS.publicLink} onClose={onClose}>
      <div className="dialog-form section-like">
        <p className="quiet">{WORDS.publicLinkHint}</p>
        <TextField
          label={WORDS.address}
          value={link?.url ?? ''}
          onChange={() => {}}
          description={link ? WORDS.validUntil(formatMoment(link.expires, formats)) : undefined}
        />
        <div className="dialog-actions">
          {link ? <Button onClick={() => void end()}>{WORDS.endLink}</Button> : null}
          <Button
            kind="primary"
            icon="copy"
            disabled={!link}
            onClick={() => {
              void navigator.clipboard.writeText(link?.url ?? '').then(() => tell(WORDS.copied))
            }}
          >
            {WORDS.copy}
          </Button>
        </div>
      </div>
    </Dialog>
  )
}

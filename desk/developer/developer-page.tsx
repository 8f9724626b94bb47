import '../style/developer.css'
import { type ReactElement, useEffect } from 'react'
import { useDesk } from '../boot/desk-context.ts'
import { NotFound } from '../shell/not-found.tsx'
import { PAGES } from '../words/pages/en.ts'
import { EventsPage } from './events-page.tsx'
import { KeysPage } from './keys-page.tsx'
import { PartPage } from './part-page.tsx'
import { WebhooksPage } from './webhooks-page.tsx'

const PARTS: Readonly<
  Record<string, { readonly icon: string; readonly Page: () => ReactElement }>
> = {
  keys: { icon: 'key-round', Page: KeysPage },
  webhooks: { icon: 'webhook', Page: WebhooksPage },
  events: { icon: 'activity', Page: EventsPage },
}

/** `/developer/{keys,webhooks,events}`: what programs need of the workspace. */
export function DeveloperPage({ part }: { part: string }): ReactElement {
  const { boot } = useDesk()
  const found = PARTS[part]
  useEffect(() => {
    document.title = `${PAGES.developer} · ${boot.workspace.label}`
  }, [boot])
  if (!found) return <NotFound />
  const { Page } = found
  return (
    <PartPage
      title={PAGES.developer}
      parts={[
        ...Object.entries(PARTS).map(([name, { icon }]) => ({
          href: `/developer/${name}`,
          icon,
          label: PAGES.developerParts[name as 'keys'],
          isHere: name === part,
        })),
        { href: '/docs', icon: 'book-open', label: PAGES.apiReference, isOutside: true },
      ]}
    >
      <Page />
    </PartPage>
  )
}

import '../style/till.css'
import { type ReactElement, useEffect, useMemo, useState } from 'react'
import { DeskContext } from '../boot/desk-context.ts'
import { createClient } from '../data/client.ts'
import { NotFound } from '../shell/not-found.tsx'
import { WORDS } from '../words/en.ts'
import { localeOf, spokenLanguage } from '../words/speak.ts'
import { workPage } from '../work/use-work-page.ts'
import { Counter } from './counter.tsx'
import { readKit } from './kept.ts'

/**
 * The till that was open in this browser, drawn from what it keeps, for a page that was opened without the network: it sells, and
 * the Desk that comes back with the network sends what was sold.
 */
export function OfflineTill({ onOnline }: { onOnline: () => void }): ReactElement {
  const [kit] = useState(readKit)
  useEffect(() => {
    const again = (): void => onOnline()
    addEventListener('online', again)
    const timer = setInterval(again, 4_000)
    return () => {
      removeEventListener('online', again)
      clearInterval(timer)
    }
  }, [onOnline])
  const state = useMemo(() => {
    if (!kit) return undefined
    const { boot } = kit
    const bySlug = new Map(boot.resources.map((entry) => [entry.slug, entry]))
    return {
      boot,
      client: createClient(
        () => '',
        () => undefined,
      ),
      formats: {
        locale: localeOf(spokenLanguage() as 'en', navigator.languages),
        currency: boot.formats.currency ?? undefined,
      },
      entryOf: (slug: string) => bySlug.get(slug),
      slugOf: () => '',
    }
  }, [kit])
  const page = kit && workPage(kit.boot, 'pos')
  if (!kit || !state || !page) return <NotFound title={WORDS.offline} message="" />
  return (
    <DeskContext value={state}>
      <main id="content" className="offline">
        <Counter page={page} till={kit.till} opening={undefined} other={null} />
      </main>
    </DeskContext>
  )
}

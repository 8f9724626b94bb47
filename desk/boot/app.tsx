import { QueryClient, QueryClientProvider, useQuery, useQueryClient } from '@tanstack/react-query'
import { lazy, type ReactElement, type ReactNode, Suspense, useMemo, useState } from 'react'
import { type Client, createClient, isUnreached } from '../data/client.ts'
import { resourceQuery } from '../data/queries.ts'
import type { Boot } from '../data/types.ts'
import { Shell } from '../shell/shell.tsx'
import { currentScheme, toggleScheme } from '../ui/theme.ts'
import { Toasts } from '../ui/toast.tsx'
import { localeOf } from '../words/speak.ts'
import { chosenLanguage } from './chosen-language.ts'
import { DeskContext } from './desk-context.ts'
import { languageOfPerson, loadBoot } from './load-boot.ts'
import { isOfResource } from './own-addresses.ts'
import { Pages } from './pages.tsx'

const OfflineTill = lazy(async () => {
  const { offlineTill } = await import('../till/offline-start.ts')
  return { default: await offlineTill() }
})

/** The whole Desk. */
export function App(): ReactElement {
  const [queries] = useState(
    () =>
      new QueryClient({
        defaultOptions: { queries: { retry: false, refetchOnWindowFocus: true, staleTime: 5_000 } },
      }),
  )
  const [scheme, setScheme] = useState(currentScheme)
  return (
    <QueryClientProvider client={queries}>
      <Toasts>
        <Booted>
          <Shell scheme={scheme} onScheme={() => setScheme(toggleScheme())}>
            <Pages />
          </Shell>
        </Booted>
      </Toasts>
    </QueryClientProvider>
  )
}

/** Draws nothing before the Desk knows who is there and what the workspace has. */
function Booted({ children }: { children: ReactNode }): ReactElement | null {
  const queries = useQueryClient()
  const [held] = useState(() => {
    const session = { token: '' }
    return { session, client: createClient(() => session.token, chosenLanguage) }
  })
  const {
    data: boot,
    error,
    refetch,
  } = useQuery({
    queryKey: ['boot'],
    queryFn: async () => {
      const language = chosenLanguage()
      void prefetchResource(queries, held.client)
      const loaded = await loadBoot(held.client)
      // What came beside it is in the language before the choice that has just become known.
      if (chosenLanguage() !== language) queries.removeQueries({ queryKey: ['resource'] })
      held.session.token = loaded.csrf
      return loaded
    },
    staleTime: Number.POSITIVE_INFINITY,
    // Definitions may have changed while somebody was elsewhere: what has not is answered with a 304.
    refetchOnWindowFocus: 'always',
    // Without the network it fails at once, so that a till can be drawn from what the browser keeps.
    networkMode: 'always',
  })
  const state = useMemo(() => boot && stateOf(boot, held.client), [boot, held])
  if (error && !boot && location.pathname === '/pos' && isUnreached(error))
    return (
      <Suspense>
        <OfflineTill onOnline={() => void refetch()} />
      </Suspense>
    )
  // What is known stays while it cannot be asked anew.
  if (error && !boot)
    return (
      <p role="alert" className="boot-failed">
        {error.message}
      </p>
    )
  if (!state) return null
  return <DeskContext value={state}>{children}</DeskContext>
}

/** Asks for the resource that the address names beside the rest, where it is not known yet: its list can begin the sooner. */
async function prefetchResource(queries: QueryClient, client: Client): Promise<void> {
  const slug = decodeURIComponent(location.pathname.split('/')[1] ?? '')
  const query = resourceQuery(client, slug)
  if (isOfResource(slug) && queries.getQueryData(query.queryKey) === undefined)
    await queries.prefetchQuery(query)
}

function stateOf(boot: Boot, client: Client) {
  const bySlug = new Map(boot.resources.map((entry) => [entry.slug, entry]))
  const slugs = new Map(boot.resources.map(({ doctype, slug }) => [doctype, slug]))
  const locale = localeOf(languageOfPerson(boot), navigator.languages)
  return {
    boot,
    client,
    formats: { locale, currency: boot.formats.currency ?? undefined },
    entryOf: (slug: string) => bySlug.get(slug),
    slugOf: (doctype: unknown) => slugs.get(String(doctype)) ?? '',
  }
}

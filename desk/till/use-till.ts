import { useQuery } from '@tanstack/react-query'
import { useEffect, useMemo, useState } from 'react'
import { useDesk } from '../boot/desk-context.ts'
import type { Boot, RecordData } from '../data/types.ts'
import type { WorkPage } from '../home/workspace-types.ts'
import { fieldOf } from '../work/use-work-page.ts'
import { keepKit, readKit } from './kept.ts'
import { loadItems, loadOpening, loadTills, loadWays, priceItems } from './load-till.ts'
import type { OpenTill, TillItem } from './till-types.ts'

/** The tills, and the one that is chosen with its opening. */
export function useTills(page: WorkPage, chosen: string) {
  const { client } = useDesk()
  const { parts } = page
  const tills = useQuery({
    queryKey: ['list', parts.tills!.resource, 'tills'],
    queryFn: () => loadTills(client, parts.tills!),
  })
  const all = tills.data ?? []
  const till = all.find(({ id }) => id === chosen) ?? (all.length === 1 ? all[0] : undefined)
  const opening = useQuery({
    queryKey: ['list', parts.openings!.resource, 'of till', till?.id],
    queryFn: async () => (await loadOpening(client, parts.openings!, till!.id)) ?? null,
    enabled: till !== undefined,
  })
  const ways = useQuery({
    queryKey: ['list', parts.cash!.resource, 'of till', till?.id],
    queryFn: () => loadWays(client, parts, till!),
    enabled: till !== undefined,
  })
  return {
    tills: all,
    isLoaded: tills.isSuccess,
    till,
    opening: opening.data,
    ways: ways.data,
    error: tills.error ?? opening.error ?? ways.error,
  }
}

/** A till that is open, of its records. */
export function openTill(
  { tills }: WorkPage['parts'],
  till: RecordData,
  opening: RecordData,
  ways: OpenTill['ways'],
): OpenTill {
  const text = (role: string): string => String(till[fieldOf(tills!, role)] ?? '')
  return {
    ...{ id: till.id, opening: opening.id, ways, company: text('company') },
    ...{ warehouse: text('warehouse'), customer: text('customer') },
  }
}

/** Milliseconds until items and prices are asked anew. */
const RENEWED_MS = 600_000

/**
 * The items of an open till with their prices; all of it is kept for when the network is away. A price stays until another one is
 * told: sales change items all the time, and none of that is a reason to sell nothing.
 */
export function useItems(page: WorkPage, till: OpenTill, isOffline: boolean): readonly TillItem[] {
  const { client, boot, entryOf } = useDesk()
  const part = page.parts.items!
  const [known] = useState(() => {
    const kit = readKit()
    return kit?.till.id === till.id ? kit.items : []
  })
  const [prices, setPrices] = useState<ReadonlyMap<string, TillItem>>(
    () => new Map(known.map((item) => [item.id, item])),
  )
  const { data } = useQuery({
    queryKey: ['till items', part.resource, till.id],
    queryFn: () => loadItems(client, part, entryOf(part.resource)?.title_field ?? 'id'),
    enabled: !isOffline,
    staleTime: RENEWED_MS,
    refetchInterval: RENEWED_MS,
    refetchOnWindowFocus: false,
  })
  const items = useMemo(
    () => (data ?? known).map((item) => priced(item, prices.get(item.id))),
    [data, known, prices],
  )
  useEffect(() => {
    if (!data || isOffline) return
    const over = new AbortController()
    const found = new Map<string, TillItem>()
    const show = (): void => setPrices((before) => new Map([...before, ...found]))
    priceItems(client, page.parts, till, data, {
      signal: over.signal,
      tell(item) {
        found.set(item.id, item)
        if (found.size % 12 === 0) show()
      },
    })
      .catch(() => undefined)
      .finally(show)
    return () => over.abort()
  }, [client, page, till, data, isOffline])
  useEffect(() => {
    if (items.length > 0 && !isOffline)
      keepKit({ at: new Date().toISOString(), boot: leanBoot(boot, page), till, items })
  }, [items, boot, page, till, isOffline])
  return items
}

function priced(item: TillItem, { price, rate }: Partial<TillItem> = {}): TillItem {
  return {
    ...item,
    ...(price === undefined ? {} : { price }),
    ...(rate === undefined ? {} : { rate }),
  }
}

/** What the page needs of boot to be drawn without the network: nothing that lets anybody in. */
function leanBoot(boot: Boot, page: WorkPage): Boot {
  const used = new Set(Object.values(page.parts).map(({ resource }) => resource))
  return {
    person: { ...boot.person, roles: [] },
    workspace: boot.workspace,
    csrf: '',
    workspaces: [
      {
        ...{ name: 'till', label: '', icon: null, modules: [], used: true },
        ...{ cards: [], shortcuts: [], charts: [], steps: [], pages: [page] },
      },
    ],
    formats: boot.formats,
    modules: [],
    resources: boot.resources.filter(({ slug }) => used.has(slug)),
    reports: [],
    colors: {},
    desk: boot.desk?.language === undefined ? null : { language: boot.desk.language },
  }
}

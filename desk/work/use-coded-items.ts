import { useQuery } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useState } from 'react'
import { useDesk } from '../boot/desk-context.ts'
import type { PagePart } from '../home/workspace-types.ts'
import { loadItems } from '../till/load-till.ts'
import type { TillItem } from '../till/till-types.ts'

/** Items that are loaded at most, with their codes; of more the server finds those that have a text in their name. */
const MOST = 2_000

/** The items of a part with their barcodes. */
export function useCodedItems(part: PagePart): readonly TillItem[] | undefined {
  const { client, entryOf } = useDesk()
  return useQuery({
    queryKey: ['coded items', part.resource],
    queryFn: () => loadItems(client, part, entryOf(part.resource)?.title_field ?? 'id', MOST),
    staleTime: 600_000,
    refetchOnWindowFocus: false,
  }).data
}

/** Items that a text may mean: the one whose code it is, else those that have it in their name or number. */
export function findItems(items: readonly TillItem[], text: string): readonly TillItem[] {
  const sought = text.trim().toLowerCase()
  const exact = items.filter(
    ({ id, codes }) => id.toLowerCase() === sought || codes.includes(text.trim()),
  )
  if (exact.length > 0) return exact
  return items.filter(
    ({ id, title }) => id.toLowerCase().includes(sought) || title.toLowerCase().includes(sought),
  )
}

interface Found {
  readonly onFound: (item: TillItem) => void
  readonly onMissed: (code: string) => void
}

/** Finds the one item that a code means; a code that is read before the items are there waits for them. */
export function useCode(
  items: readonly TillItem[] | undefined,
  { onFound, onMissed }: Found,
): (code: string) => void {
  const [held, setHeld] = useState<string>()
  function take(code: string): void {
    const [one, other] = findItems(items ?? [], code)
    if (one && !other) onFound(one)
    else onMissed(code)
  }
  const takeHeld = useEffectEvent((code: string) => {
    setHeld(undefined)
    take(code)
  })
  useEffect(() => {
    if (items && held !== undefined) takeHeld(held)
  }, [items, held])
  return (code) => (items ? take(code) : setHeld(code))
}

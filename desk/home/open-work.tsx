import { useQueries } from '@tanstack/react-query'
import { type ReactElement, useMemo } from 'react'
import { Link } from 'wouter'
import { useDesk } from '../boot/desk-context.ts'
import type { ListAnswer, WorkspaceCard } from '../data/types.ts'
import { Icon } from '../ui/icon.tsx'
import { WORDS } from '../words/en.ts'
import { sentenceCase } from '../words/sentence-case.ts'

/** Numbers that are asked for of one workspace, and that are shown at all. */
const MOST_OF_ONE = 3
const MOST = 12

/** The numbers of the person's workspaces: each leads to the list it counts; what is nothing is not shown. */
export function OpenWork(): ReactElement | null {
  const { boot, client, entryOf } = useDesk()
  const cards = useMemo(() => cardsOf(boot.workspaces ?? [], entryOf), [boot, entryOf])
  const counts = useQueries({
    queries: cards.map(({ resource, filter }) => ({
      queryKey: ['list', resource, 'count', filter],
      queryFn: async () => {
        const path = `/v1/${resource}?${filter}${filter ? '&' : ''}fields=id&limit=1`
        return (await client.ask<ListAnswer>(path)).body.meta.total
      },
    })),
  })
  const shown = cards
    .map((card, at) => ({ ...card, count: counts[at]?.data ?? 0 }))
    .filter(({ count }) => count > 0)
    .slice(0, MOST)
  if (shown.length === 0) return null
  return (
    <section aria-labelledby="open-work">
      <h2 id="open-work">{WORDS.openWork}</h2>
      <ul className="number-cards">
        {shown.map(({ label, resource, filter, count }) => (
          <li key={`${resource} ${filter}`}>
            <Link href={`/${resource}?${filter}`}>
              <span className="card-number">{count}</span>
              <span>{sentenceCase(label)}</span>
              <span className="quiet">
                <Icon name={entryOf(resource)?.icon ?? 'file'} size={13} />
                {stateOf(filter)}
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  )
}

function cardsOf(
  workspaces: readonly { readonly cards: readonly WorkspaceCard[] }[],
  entryOf: (slug: string) => { readonly locked: boolean } | undefined,
): readonly WorkspaceCard[] {
  const all = workspaces.flatMap(({ cards }) =>
    cards
      .filter(({ resource, filter }) => filter !== '' && entryOf(resource)?.locked === false)
      .slice(0, MOST_OF_ONE),
  )
  return [...new Map(all.map((card) => [`${card.resource} ${card.filter}`, card])).values()]
}

/** What a filter says of its records, for people: `status=Open` → `Open`; of several states the label tells. */
function stateOf(filter: string): string {
  const [[name, value] = ['', '']] = [...new URLSearchParams(filter)]
  if (name.includes('__')) return ''
  return name === 'docstatus' ? ([WORDS.draft, WORDS.submitted][Number(value)] ?? '') : value
}

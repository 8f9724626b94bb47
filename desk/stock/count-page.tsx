import '../style/stock.css'
import { useQuery } from '@tanstack/react-query'
import { type ReactElement, useState } from 'react'
import { useDesk } from '../boot/desk-context.ts'
import type { ListAnswer } from '../data/types.ts'
import type { WorkPage } from '../home/workspace-types.ts'
import { PageSkeleton } from '../ui/skeleton.tsx'
import { WORK } from '../words/work/en.ts'
import { OnPage } from '../work/on-page.tsx'
import { listPath } from '../work/use-work-page.ts'
import { Counting } from './counting.tsx'
import { type KeptCount, keepCount, keptCount } from './kept-count.ts'

/** `/count`: what lies in a warehouse is counted, scan by scan, and the stock set to it. */
export function CountPage(): ReactElement {
  return <OnPage name="count">{(page) => <Count page={page} />}</OnPage>
}

function Count({ page }: { page: WorkPage }): ReactElement {
  const [count, setCount] = useState(keptCount)
  function change(next: KeptCount | undefined): void {
    keepCount(next)
    setCount(next)
  }
  return (
    <div className="stock-page counting">
      <h1>{page.label}</h1>
      {count ? (
        <Counting page={page} count={count} onChange={change} />
      ) : (
        <Warehouses
          page={page}
          onChoose={(warehouse) => change({ warehouse, key: crypto.randomUUID(), rows: [] })}
        />
      )}
    </div>
  )
}

interface WarehousesProps {
  readonly page: WorkPage
  readonly onChoose: (id: string) => void
}

function Warehouses({ page, onChoose }: WarehousesProps): ReactElement {
  const { client, entryOf } = useDesk()
  const part = page.parts.warehouses!
  const title = entryOf(part.resource)?.title_field ?? 'id'
  const { data, error } = useQuery({
    queryKey: ['list', part.resource, 'to count'],
    queryFn: async () => {
      const path = listPath(part, { limit: '100', sort: `${title},id` })
      return (await client.ask<ListAnswer>(path)).body.data
    },
  })
  if (error) return <p role="alert">{error.message}</p>
  if (!data) return <PageSkeleton />
  return (
    <>
      <p className="quiet">{WORK.whereCounted}</p>
      <ul className="count-places">
        {data.map((row) => (
          <li key={row.id}>
            <button type="button" onClick={() => onChoose(row.id)}>
              {String(row[title] ?? row.id)}
            </button>
          </li>
        ))}
      </ul>
    </>
  )
}

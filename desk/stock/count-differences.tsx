import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactElement, useState } from 'react'
import { useDesk } from '../boot/desk-context.ts'
import { recordPath } from '../data/client.ts'
import type { Preview, RecordData, Row } from '../data/types.ts'
import type { WorkPage } from '../home/workspace-types.ts'
import { Button } from '../ui/button.tsx'
import { PageSkeleton } from '../ui/skeleton.tsx'
import { useToast } from '../ui/toast.tsx'
import { WORK } from '../words/work/en.ts'
import { fieldOf } from '../work/use-work-page.ts'
import type { KeptCount } from './kept-count.ts'

interface CountDifferencesProps {
  readonly page: WorkPage
  readonly count: KeptCount
  readonly onBack: () => void
  readonly onBooked: () => void
}

/** What was counted beside what should be there, by the server's preview; then the stock is set to it. */
export function CountDifferences({
  page,
  count,
  onBack,
  onBooked,
}: CountDifferencesProps): ReactElement {
  const { client, formats } = useDesk()
  const part = page.parts.counts!
  const field = (role: string): string => fieldOf(part, role)
  const body = {
    ...part.set,
    [field('warehouse')]: count.warehouse,
    [field('rows')]: count.rows.map(({ item, qty }) => ({
      [field('rows.item')]: item,
      [field('rows.qty')]: qty,
    })),
  }
  const { data, error } = useQuery({
    queryKey: ['list', part.resource, 'differences', JSON.stringify(body)],
    queryFn: async () => {
      const path = `/v1/${part.resource}?_preview=1`
      return (await client.ask<Preview>(path, { method: 'POST', body })).body
    },
  })
  const { book, isBusy, problem } = useBooking(page, count, body, onBooked)
  const rows = (data?.record?.[field('rows')] ?? []) as readonly Row[]
  const told = problem ?? error?.message ?? data?.problems[0]?.message
  const number = (value: unknown): string => Number(value ?? 0).toLocaleString(formats.locale)
  if (!data && !error) return <PageSkeleton />
  return (
    <>
      <p className="quiet">{WORK.countIn(count.warehouse)}</p>
      <table className="item-places">
        <thead>
          <tr>
            <th scope="col">{WORK.item}</th>
            <th scope="col" className="number">
              {WORK.expected}
            </th>
            <th scope="col" className="number">
              {WORK.counted}
            </th>
            <th scope="col" className="number">
              {WORK.difference}
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row, at) => (
            <tr key={String(row[field('rows.item')])}>
              <th scope="row">{count.rows[at]?.title}</th>
              <td className="number">{number(row[field('rows.before')])}</td>
              <td className="number">{number(row[field('rows.qty')])}</td>
              <td className="number" data-short={row[field('rows.difference')] !== 0}>
                {number(row[field('rows.difference')])}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {told ? (
        <p role="alert" className="till-problem">
          {told}
        </p>
      ) : null}
      <div className="count-ways">
        <Button
          kind="primary"
          busy={isBusy}
          disabled={!data || data.problems.length > 0}
          onClick={() => void book()}
        >
          {WORK.bookCount}
        </Button>
        <Button onClick={onBack}>{WORK.goOnCounting}</Button>
      </div>
    </>
  )
}

/** Makes the count and submits it, each under the key of the count: sent again, it is not booked again. */
function useBooking(
  page: WorkPage,
  count: KeptCount,
  body: Readonly<Record<string, unknown>>,
  onBooked: () => void,
) {
  const { client } = useDesk()
  const queries = useQueryClient()
  const tell = useToast()
  const [isBusy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string>()
  const { resource } = page.parts.counts!
  async function book(): Promise<void> {
    setBusy(true)
    setProblem(undefined)
    const key = `${count.key}-${hashOf(JSON.stringify(body))}`
    try {
      const made = await client.ask<RecordData>(`/v1/${resource}`, { method: 'POST', body, key })
      const path = recordPath(resource, made.body.id, 'submit')
      await client.ask(path, { method: 'POST', key: `${key}-submit` })
      await queries.invalidateQueries({ queryKey: ['list'] })
      tell(WORK.countBooked(made.body.id))
      onBooked()
    } catch (error) {
      setProblem((error as Error).message)
    } finally {
      setBusy(false)
    }
  }
  return { book, isBusy, problem }
}

/** A short number for a text: another count of the same begin is another record. */
function hashOf(text: string): number {
  return [...text].reduce((hash, sign) => (hash * 31 + (sign.codePointAt(0) ?? 0)) | 0, 7)
}

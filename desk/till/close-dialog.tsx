import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactElement, useState } from 'react'
import { useDesk } from '../boot/desk-context.ts'
import { recordPath } from '../data/client.ts'
import type { Preview, RecordData, Row } from '../data/types.ts'
import type { PagePart, WorkPage } from '../home/workspace-types.ts'
import { parseNumber } from '../record/parse-number.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { useToast } from '../ui/toast.tsx'
import { WORK } from '../words/work/en.ts'
import { fieldOf } from '../work/use-work-page.ts'
import { money } from './money.ts'
import type { OpenTill } from './till-types.ts'

interface CloseDialogProps {
  readonly page: WorkPage
  readonly till: OpenTill
  /** Sales that are not booked yet: none of them may be left behind. */
  readonly waiting: number
  readonly onClose: () => void
}

/** Closes a till: what it should hold by the server, what was counted, and the difference. */
export function CloseDialog({ page, till, waiting, onClose }: CloseDialogProps): ReactElement {
  const { client, formats } = useDesk()
  const part = page.parts.closings!
  const field = (role: string): string => fieldOf(part, role)
  const [typed, setTyped] = useState<Readonly<Record<string, string>>>({})
  const counted = Object.fromEntries(
    till.ways.map(({ id }) => [id, parseNumber(typed[id] ?? '', formats.locale)]),
  )
  const body = {
    ...part.set,
    [field('opening')]: till.opening,
    [field('counted')]: till.ways.map(({ id }) => ({
      [field('counted.way')]: id,
      [field('counted.amount')]: counted[id] ?? 0,
    })),
  }
  const { data } = useQuery({
    queryKey: ['list', part.resource, 'close', JSON.stringify(body)],
    queryFn: async ({ signal }) => {
      const path = `/v1/${part.resource}?_preview=1`
      return (await client.ask<Preview>(path, { method: 'POST', body, signal })).body
    },
    placeholderData: (before) => before,
  })
  const rows = (data?.record?.[field('counted')] ?? []) as readonly Row[]
  const isCounted = till.ways.every(({ id }) => typeof counted[id] === 'number')
  const { close, isBusy, problem } = useClosing(part, body, onClose)
  return (
    <Dialog title={WORK.closeTill} onClose={onClose} wide>
      {waiting > 0 ? (
        <p role="alert" className="till-problem">
          {WORK.closeWaits(String(waiting))}
        </p>
      ) : null}
      <Counted
        part={part}
        till={till}
        rows={rows}
        typed={typed}
        onType={(id, text) => setTyped((all) => ({ ...all, [id]: text }))}
      />
      {data?.record ? (
        <p className="close-sold">
          {WORK.soldInAll(money(Number(data.record[field('sold')] ?? 0), formats))}
        </p>
      ) : null}
      {problem ? (
        <p role="alert" className="till-problem">
          {problem}
        </p>
      ) : null}
      <div className="dialog-actions">
        <Button onClick={onClose}>{WORK.stayOpen}</Button>
        <Button
          kind="primary"
          busy={isBusy}
          disabled={waiting > 0 || !isCounted}
          onClick={() => void close()}
        >
          {WORK.closeTill}
        </Button>
      </div>
    </Dialog>
  )
}

/** Makes the closing and submits it; one that is refused leaves no draft. */
function useClosing(part: PagePart, body: Readonly<Record<string, unknown>>, onClosed: () => void) {
  const { client } = useDesk()
  const queries = useQueryClient()
  const tell = useToast()
  const [isBusy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string>()
  async function close(): Promise<void> {
    setBusy(true)
    setProblem(undefined)
    try {
      const made = await client.ask<RecordData>(`/v1/${part.resource}`, { method: 'POST', body })
      const path = recordPath(part.resource, made.body.id)
      try {
        await client.ask(`${path}/submit`, { method: 'POST' })
      } catch (error) {
        // The next try begins anew.
        await client.ask(path, { method: 'DELETE' }).catch(() => undefined)
        throw error
      }
      tell(WORK.tillClosed)
      await queries.invalidateQueries({ queryKey: ['list'] })
      onClosed()
    } catch (error) {
      setProblem((error as Error).message)
    } finally {
      setBusy(false)
    }
  }
  return { close, isBusy, problem }
}

interface CountedProps {
  readonly part: PagePart
  readonly till: OpenTill
  /** The rows as the server has them with what was typed. */
  readonly rows: readonly Row[]
  readonly typed: Readonly<Record<string, string>>
  readonly onType: (way: string, text: string) => void
}

/** What each way to pay should have brought, what was counted, and the difference. */
function Counted({ part, till, rows, typed, onType }: CountedProps): ReactElement {
  const { formats } = useDesk()
  const field = (role: string): string => fieldOf(part, role)
  return (
    <table className="close-rows">
      <thead>
        <tr>
          <th scope="col">{WORK.way}</th>
          <th scope="col">{WORK.expected}</th>
          <th scope="col">{WORK.counted}</th>
          <th scope="col">{WORK.difference}</th>
        </tr>
      </thead>
      <tbody>
        {till.ways.map(({ id }, at) => {
          const row = rows.find((one) => one[field('counted.way')] === id)
          const difference = Number(row?.[field('counted.difference')] ?? 0)
          const isTyped = typeof parseNumber(typed[id] ?? '', formats.locale) === 'number'
          return (
            <tr key={id}>
              <th scope="row">{id}</th>
              <td>{row ? money(Number(row[field('counted.expected')]), formats) : '–'}</td>
              <td>
                <input
                  aria-label={WORK.countedOf(id)}
                  inputMode="decimal"
                  data-autofocus={at === 0 || undefined}
                  value={typed[id] ?? ''}
                  onChange={({ currentTarget: { value } }) => onType(id, value)}
                />
              </td>
              <td data-off={isTyped && difference !== 0}>
                {row && isTyped ? money(difference, formats) : '–'}
              </td>
            </tr>
          )
        })}
      </tbody>
    </table>
  )
}

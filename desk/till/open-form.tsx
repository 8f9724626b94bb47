import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, type ReactElement, useState } from 'react'
import { useDesk } from '../boot/desk-context.ts'
import { recordPath } from '../data/client.ts'
import type { RecordData } from '../data/types.ts'
import type { WorkPage } from '../home/workspace-types.ts'
import { parseNumber } from '../record/parse-number.ts'
import { Button } from '../ui/button.tsx'
import { WORK } from '../words/work/en.ts'
import { fieldOf } from '../work/use-work-page.ts'
import { AmountField } from './amount-field.tsx'
import type { Way } from './till-types.ts'

interface OpenFormProps {
  readonly page: WorkPage
  readonly till: RecordData
  readonly ways: readonly Way[]
}

/** Opens a till with the cash that is in it. */
export function OpenForm({ page, till, ways }: OpenFormProps): ReactElement {
  const { client, formats } = useDesk()
  const queries = useQueryClient()
  const [amounts, setAmounts] = useState<Readonly<Record<string, string>>>({})
  const [isBusy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string>()
  const counted = ways.filter(({ isCash }) => isCash)
  const part = page.parts.openings!
  const field = (role: string): string => fieldOf(part, role)
  async function open(event: FormEvent): Promise<void> {
    event.preventDefault()
    setBusy(true)
    setProblem(undefined)
    try {
      const { body } = await client.ask<RecordData>(`/v1/${part.resource}`, {
        method: 'POST',
        body: {
          ...part.set,
          [field('till')]: till.id,
          [field('counted')]: ways.map(({ id, isCash }) => ({
            [field('counted.way')]: id,
            [field('counted.amount')]: isCash
              ? (parseNumber(amounts[id] ?? '', formats.locale) ?? 0)
              : 0,
          })),
        },
      })
      await client.ask(recordPath(part.resource, body.id, 'submit'), { method: 'POST' })
      await queries.invalidateQueries({ queryKey: ['list', part.resource] })
    } catch (error) {
      setProblem((error as Error).message)
    } finally {
      setBusy(false)
    }
  }
  return (
    <form className="till-form" onSubmit={(event) => void open(event)}>
      <h2>{WORK.openTill}</h2>
      <p className="quiet">{WORK.openTillHint}</p>
      {counted.map(({ id }, at) => (
        <AmountField
          key={id}
          label={WORK.inTill(id)}
          value={amounts[id] ?? ''}
          autoFocus={at === 0}
          onChange={(value) => setAmounts((all) => ({ ...all, [id]: value }))}
        />
      ))}
      {problem ? (
        <p role="alert" className="till-problem">
          {problem}
        </p>
      ) : null}
      <Button type="submit" kind="primary" busy={isBusy}>
        {WORK.openTill}
      </Button>
    </form>
  )
}

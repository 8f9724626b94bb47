import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, type ReactElement, useId, useRef, useState } from 'react'
import { useDesk } from '../boot/desk-context.ts'
import type { RecordData } from '../data/types.ts'
import type { PagePart } from '../home/workspace-types.ts'
import { parseNumber } from '../record/parse-number.ts'
import { useServing } from '../together/serving.ts'
import { uploadFile } from '../together/upload.ts'
import { Button } from '../ui/button.tsx'
import { Icon } from '../ui/icon.tsx'
import { useToast } from '../ui/toast.tsx'
import { WORK } from '../words/work/en.ts'
import { fieldOf } from '../work/use-work-page.ts'

interface ExpenseFormProps {
  readonly part: PagePart
  /** The person's own record. */
  readonly own: string
}

/** An expense by its photo: the camera of a phone, the amount, what for; it is claimed at once, as a draft to be decided on. */
export function ExpenseForm({ part, own }: ExpenseFormProps): ReactElement {
  const { formats } = useDesk()
  const [photo, setPhoto] = useState<File>()
  const [amount, setAmount] = useState('')
  const [about, setAbout] = useState('')
  const input = useRef<HTMLInputElement>(null)
  const id = useId()
  const spent = parseNumber(amount, formats.locale)
  const { claim, isBusy, problem } = useClaim(part, own, () => {
    setPhoto(undefined)
    setAmount('')
    setAbout('')
  })
  function submit(event: FormEvent): void {
    event.preventDefault()
    if (typeof spent === 'number' && spent > 0) void claim(spent, about, photo)
  }
  return (
    <form className="expense" onSubmit={submit}>
      <button type="button" className="expense-photo" onClick={() => input.current?.click()}>
        <Icon name="camera" />
        {photo ? photo.name : WORK.photo}
      </button>
      <input
        ref={input}
        type="file"
        hidden
        accept="image/*,application/pdf"
        capture="environment"
        aria-label={WORK.photo}
        onChange={(event) => setPhoto(event.currentTarget.files?.[0])}
      />
      <label htmlFor={`${id}-amount`}>{WORK.spent}</label>
      <input
        id={`${id}-amount`}
        inputMode="decimal"
        autoComplete="off"
        value={amount}
        onChange={(event) => setAmount(event.currentTarget.value)}
      />
      <label htmlFor={`${id}-about`}>{WORK.whatFor}</label>
      <input
        id={`${id}-about`}
        autoComplete="off"
        value={about}
        onChange={(event) => setAbout(event.currentTarget.value)}
      />
      {problem ? <p role="alert">{problem}</p> : null}
      <Button type="submit" kind="primary" busy={isBusy} disabled={!(Number(spent) > 0)}>
        {WORK.claim}
      </Button>
    </form>
  )
}

/** Keeps the photo, then makes the claim that names it. */
function useClaim(part: PagePart, own: string, onClaimed: () => void) {
  const { client } = useDesk()
  const queries = useQueryClient()
  const files = useServing('files')
  const tell = useToast()
  const [isBusy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string>()
  const field = (role: string): string => fieldOf(part, role)
  async function claim(amount: number, about: string, photo: File | undefined): Promise<void> {
    setBusy(true)
    setProblem(undefined)
    try {
      const kept =
        photo && files
          ? await uploadFile(client, files.slug, photo, undefined, () => {})
          : undefined
      const row = {
        [field('rows.amount')]: amount,
        [field('rows.about')]: about,
        ...(kept ? { [field('rows.receipt')]: kept.file_url } : {}),
      }
      const { body } = await client.ask<RecordData>(`/v1/${part.resource}`, {
        method: 'POST',
        body: { ...part.set, [field('person')]: own, [field('rows')]: [row] },
      })
      tell(WORK.claimed(body.id))
      onClaimed()
      await queries.invalidateQueries({ queryKey: ['list', part.resource] })
    } catch (error) {
      setProblem((error as Error).message)
    } finally {
      setBusy(false)
    }
  }
  return { claim, isBusy, problem }
}

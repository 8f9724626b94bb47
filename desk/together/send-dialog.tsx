import { useQuery } from '@tanstack/react-query'
import { type FormEvent, lazy, type ReactElement, Suspense, useState } from 'react'
import { useDesk } from '../boot/desk-context.ts'
import { ApiError, recordPath } from '../data/client.ts'
import { formatValue } from '../data/format.ts'
import type { ListAnswer, RecordData, ResourceInfo, Row } from '../data/types.ts'
import { placeProblems } from '../draft/problems.ts'
import { titleOf } from '../list/row-parts.tsx'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { CheckField, ChoiceField, LongField, TextField } from '../ui/fields.tsx'
import { useToast } from '../ui/toast.tsx'
import { WORDS } from '../words/en.ts'
import { sentenceCase } from '../words/sentence-case.ts'
import { useServing } from './serving.ts'
import { useRecipient } from './use-recipient.ts'
import { useTellAgain } from './use-timeline.ts'

const Paper = lazy(() => import('../record/paper.tsx').then((file) => ({ default: file.Paper })))

interface SendProps {
  readonly resource: ResourceInfo
  readonly record: RecordData
  readonly onClose: () => void
}

/** A mail with the paper of a record: to whom, of which template, and what it will look like. */
export function SendDialog({ resource, record, onClose }: SendProps): ReactElement {
  const { boot } = useDesk()
  const recipient = useRecipient(resource, record)
  const [typed, setTyped] = useState<string>()
  const [subject, setSubject] = useState(
    `${sentenceCase(resource.label)} ${record.id} · ${boot.workspace.label}`,
  )
  const [message, setMessage] = useState('')
  const [withPdf, setPdf] = useState(true)
  const [withLink, setLink] = useState(true)
  const to = typed ?? recipient ?? ''
  const { problems, isBusy, send } = useSending({ resource, record, onClose })
  function submit(event: FormEvent): void {
    event.preventDefault()
    const attach = withPdf ? ['pdf'] : []
    void send({ to, subject, message, attach, link: withLink })
  }
  return (
    <Dialog title={WORDS.sendOf(titleOf(resource, record))} onClose={onClose} wide>
      <form className="send section-like" onSubmit={submit}>
        <div className="dialog-form">
          <TextField
            label={WORDS.to}
            name="to"
            required
            value={to}
            error={problems.to}
            onChange={setTyped}
          />
          <Template
            resource={resource}
            record={record}
            onFilled={(written) => {
              setSubject(written.subject)
              setMessage(written.text)
            }}
          />
          <TextField
            label={WORDS.subject}
            value={subject}
            error={problems.subject}
            onChange={setSubject}
          />
          <LongField
            label={WORDS.message}
            value={message}
            error={problems.message}
            onChange={setMessage}
          />
          <CheckField label={WORDS.withPdf} value={withPdf} onChange={setPdf} />
          <CheckField label={WORDS.withLink} value={withLink} onChange={setLink} />
          <div className="dialog-actions">
            <Button onClick={onClose}>{WORDS.back}</Button>
            <Button kind="primary" type="submit" busy={isBusy}>
              {WORDS.send}
            </Button>
          </div>
        </div>
        <section className="send-paper" aria-label={WORDS.preview}>
          <Suspense>
            <Paper resource={resource} record={record} writes={undefined} />
          </Suspense>
        </section>
      </form>
    </Dialog>
  )
}

function useSending({ resource, record, onClose }: SendProps) {
  const { client } = useDesk()
  const tell = useToast()
  const again = useTellAgain()
  const [problems, setProblems] = useState<Readonly<Record<string, string>>>({})
  const [isBusy, setBusy] = useState(false)
  async function send(
    body: Readonly<Record<string, unknown>> & { readonly to: string },
  ): Promise<void> {
    setBusy(true)
    try {
      await client.ask(recordPath(resource.slug, record.id, 'send'), { method: 'POST', body })
      tell(WORDS.sentTo(body.to))
      void again(resource.slug, record.id)
      onClose()
    } catch (error) {
      setBusy(false)
      if (error instanceof ApiError && error.details.length > 0)
        setProblems(placeProblems(error.details).fields)
      else tell((error as Error).message, 'problem')
    }
  }
  return { problems, isBusy, send }
}

interface Written {
  readonly subject: string
  readonly text: string
}

/** The templates of the workspace; one that is chosen fills the mail with the values of the record. */
function Template({
  resource,
  record,
  onFilled,
}: {
  resource: ResourceInfo
  record: RecordData
  onFilled: (written: Written) => void
}): ReactElement | null {
  const { client, formats } = useDesk()
  const tell = useToast()
  const served = useServing('mail_templates')
  const [chosen, setChosen] = useState('')
  const { data } = useQuery({
    queryKey: ['list', served?.slug, 'templates'],
    queryFn: async ({ signal }) =>
      (await client.ask<ListAnswer>(`/v1/${served?.slug}?fields=id&limit=100`, { signal })).body
        .data,
    enabled: served !== undefined,
  })
  if (!served || !data || data.length === 0) return null
  async function choose(id: string): Promise<void> {
    setChosen(id)
    if (id === '') return
    try {
      const { body } = await client.ask<Row>(recordPath(served!.slug, id))
      const filled = (text: unknown): string =>
        String(text ?? '').replace(/\{\{\s*(?:doc\.)?(\w+)\s*\}\}/g, (place, name: string) => {
          if (name === 'name') return record.id
          const field = resource.fields.find((one) => one.name === name)
          return field ? formatValue(field, record, formats) : place
        })
      const text = body.use_html === true ? plain(String(body.response_html)) : body.response
      onFilled({ subject: filled(body.subject), text: filled(text) })
    } catch (error) {
      tell((error as Error).message, 'problem')
    }
  }
  return (
    <ChoiceField
      label={WORDS.template}
      value={chosen}
      choices={data.map(({ id }) => ({ value: id, label: id }))}
      onChange={(id) => void choose(id)}
    />
  )
}

/** The text of a page. */
function plain(html: string): string {
  return new DOMParser().parseFromString(html, 'text/html').body.textContent ?? ''
}

import { useQuery, useQueryClient } from '@tanstack/react-query'
import {
  type DragEvent,
  type ReactElement,
  type ReactNode,
  useEffect,
  useRef,
  useState,
} from 'react'
import { useDesk } from '../boot/desk-context.ts'
import { recordPath } from '../data/client.ts'
import { formatDate } from '../data/format.ts'
import { useResource } from '../data/queries.ts'
import type { ListAnswer, RecordData, ResourceInfo, Row } from '../data/types.ts'
import { valueText } from '../report/report-values.ts'
import { useServing } from '../together/serving.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { ChoiceField, TextField } from '../ui/fields.tsx'
import { Icon } from '../ui/icon.tsx'
import { useToast } from '../ui/toast.tsx'
import { WORDS } from '../words/en.ts'
import { PAGES } from '../words/pages/en.ts'
import { readStatement, type StatementFile } from './statement-file.ts'
import { renew } from './use-lines.ts'

interface DropProps {
  /** The account that is looked at; empty for all. */
  readonly account: string
  /** The page, which gets the button that chooses a file. */
  readonly children: (choose: ReactNode) => ReactNode
}

/** Takes the file of a bank anywhere on the page, shows what is in it, and brings its lines in. */
export function StatementDrop({ account, children }: DropProps): ReactElement {
  const statements = useServing('bank_statements')
  const { data: resource } = useResource(statements?.slug ?? '', statements !== undefined)
  const [file, setFile] = useState<StatementFile>()
  const [isOver, setOver] = useState(false)
  useKeysInList(file !== undefined)
  const input = useRef<HTMLInputElement>(null)
  const tell = useToast()
  const mayImport = statements?.can.includes('create') === true
  async function take(chosen: File | undefined): Promise<void> {
    setOver(false)
    if (!chosen || !mayImport) return
    try {
      setFile(await readStatement(chosen))
    } catch (error) {
      tell((error as Error).message, 'problem')
    }
  }
  const choose = mayImport ? (
    <>
      <Button kind="primary" icon="upload" onClick={() => input.current?.click()}>
        {PAGES.takeStatement}
      </Button>
      <input
        ref={input}
        type="file"
        hidden
        aria-label={PAGES.takeStatement}
        accept=".csv,.txt,.sta,.mt940,.940,.xml,.ofx,.qfx,text/csv,text/xml"
        onChange={(event) => {
          void take(event.currentTarget.files?.[0])
          event.currentTarget.value = ''
        }}
      />
    </>
  ) : null
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dropping is a shorter way than the button
    <div
      className="statement-drop"
      data-over={isOver}
      onDragOver={(event: DragEvent) => {
        if (!mayImport) return
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault()
        void take(event.dataTransfer.files[0])
      }}
    >
      {children(choose)}
      {file && resource ? (
        <StatementDialog
          resource={resource}
          file={file}
          account={account}
          onClose={() => setFile(undefined)}
        />
      ) : null}
    </div>
  )
}

/** Gives the keys to the lines when a statement is done with. */
function useKeysInList(isAsking: boolean): void {
  const wasAsking = useRef(false)
  useEffect(() => {
    if (wasAsking.current && !isAsking)
      document.querySelector<HTMLElement>('.line-list')?.focus({ preventScroll: true })
    wasAsking.current = isAsking
  }, [isAsking])
}

interface DialogProps {
  readonly resource: ResourceInfo
  readonly file: StatementFile
  readonly account: string
  readonly onClose: () => void
}

/** Rows shown of a statement before it is brought in. */
const MOST_SHOWN = 6

/** What a statement has, and which account it is of; nothing is there before it is pressed. */
function StatementDialog({ resource, file, account, onClose }: DialogProps): ReactElement {
  const { client } = useDesk()
  const accounts = useBankAccounts(resource)
  const [chosen, setChosen] = useState(account)
  const of = chosen || (accounts.data?.length === 1 ? accounts.data[0]!.id : '')
  const trial = useQuery({
    queryKey: ['statement', file, of],
    queryFn: async () => {
      const path = `/v1/${resource.slug}?_preview=1`
      const body = { ...file, bank_account: of }
      return (
        await client.ask<{ record: Row; problems: readonly { message: string }[] }>(path, {
          method: 'POST',
          body,
        })
      ).body
    },
    enabled: of !== '',
    // What is there already changes with every statement that is brought in: nothing is remembered.
    gcTime: 0,
    staleTime: 0,
  })
  const rows = (trial.data?.record.transactions ?? []) as readonly Row[]
  const fresh = rows.filter(({ is_duplicate }) => is_duplicate !== true)
  const problem = trial.error?.message ?? trial.data?.problems[0]?.message
  const { bring, isBusy } = useBringing(resource, { ...file, bank_account: of }, onClose)
  return (
    <Dialog title={file.file_name} onClose={onClose} wide>
      <div className="statement">
        <p className="quiet">{PAGES.statementOf(file.file_format)}</p>
        {(accounts.data?.length ?? 0) > 1 ? (
          <ChoiceField
            label={PAGES.account}
            value={of}
            choices={(accounts.data ?? []).map(({ id, title }) => ({ value: id, label: title }))}
            onChange={setChosen}
          />
        ) : null}
        {accounts.data?.length === 0 ? <NewAccount accounts={accounts} /> : null}
        {problem ? (
          <p className="field-error" role="alert">
            {problem}
          </p>
        ) : null}
        {rows.length > 0 && !problem ? <StatementRows rows={rows} /> : null}
        {rows.length > 0 && !problem ? (
          <p>
            <strong>{PAGES.newLines(String(fresh.length))}</strong>{' '}
            {rows.length > fresh.length ? (
              <span className="quiet">{PAGES.linesThere(String(rows.length - fresh.length))}</span>
            ) : null}
          </p>
        ) : null}
        <div className="dialog-actions">
          <Button onClick={onClose}>{WORDS.back}</Button>
          <Button
            kind="primary"
            autoFocus
            busy={isBusy}
            disabled={fresh.length === 0 || problem !== undefined}
            onClick={() => void bring(fresh.length)}
          >
            {PAGES.bringIn(String(fresh.length))}
          </Button>
        </div>
      </div>
    </Dialog>
  )
}

/** Makes the first account, which only has to be named. */
function NewAccount({ accounts }: { accounts: ReturnType<typeof useBankAccounts> }): ReactElement {
  const [named, setNamed] = useState<string>(PAGES.ownAccount)
  return (
    <form
      className="new-account"
      onSubmit={(event) => {
        event.preventDefault()
        void accounts.make(named)
      }}
    >
      <p>{PAGES.noAccountYet}</p>
      <TextField label={PAGES.accountName} value={named} onChange={setNamed} required />
      <Button kind="primary" type="submit" busy={accounts.isMaking} disabled={named === ''}>
        {PAGES.makeAccount}
      </Button>
    </form>
  )
}

/** Keeps a statement and makes lines of it. */
function useBringing(
  resource: ResourceInfo,
  body: StatementFile & { readonly bank_account: string },
  onClose: () => void,
) {
  const { client } = useDesk()
  const queries = useQueryClient()
  const tell = useToast()
  const [isBusy, setBusy] = useState(false)
  async function bring(count: number): Promise<void> {
    setBusy(true)
    try {
      const made = await client.ask<RecordData>(`/v1/${resource.slug}`, { method: 'POST', body })
      const path = recordPath(resource.slug, made.body.id, 'actions', 'import')
      await client.ask(path, { method: 'POST', body: {} })
      await renew(queries)
      tell(PAGES.broughtIn(String(count)))
      onClose()
    } catch (error) {
      tell((error as Error).message, 'problem')
    } finally {
      setBusy(false)
    }
  }
  return { bring, isBusy }
}

function StatementRows({ rows }: { rows: readonly Row[] }): ReactElement {
  const { formats } = useDesk()
  return (
    <table className="statement-rows">
      <tbody>
        {rows.slice(0, MOST_SHOWN).map((row, at) => (
          <tr key={at} data-there={row.is_duplicate === true}>
            <td>{formatDate(String(row.date ?? ''), formats)}</td>
            <td>{String(row.description ?? '')}</td>
            <td className="number">
              {valueText({ name: 'amount', type: 'currency' }, row, formats)}
            </td>
            <td>{row.is_duplicate === true ? <Icon name="check" size={14} /> : null}</td>
          </tr>
        ))}
        {rows.length > MOST_SHOWN ? (
          <tr>
            <td colSpan={4} className="quiet">
              {PAGES.moreFilters(String(rows.length - MOST_SHOWN))}
            </td>
          </tr>
        ) : null}
      </tbody>
    </table>
  )
}

/** The accounts a statement may be of, and how the first one is made. */
function useBankAccounts(resource: ResourceInfo) {
  const { client, entryOf } = useDesk()
  const queries = useQueryClient()
  const tell = useToast()
  const [isMaking, setMaking] = useState(false)
  const slug = resource.fields.find(({ name }) => name === 'bank_account')?.resource ?? ''
  const title = entryOf(slug)?.title_field ?? 'id'
  const { data } = useQuery({
    queryKey: ['list', slug, 'accounts of statements'],
    queryFn: async () => {
      const fields = [...new Set(['id', title])].join(',')
      const { body } = await client.ask<ListAnswer>(`/v1/${slug}?fields=${fields}&limit=100`)
      return body.data.map((row) => ({ id: row.id, title: String(row[title] ?? row.id) }))
    },
    enabled: slug !== '',
  })
  async function make(name: string): Promise<void> {
    setMaking(true)
    try {
      await client.ask(`/v1/${slug}`, { method: 'POST', body: { [title]: name } })
      await queries.invalidateQueries({ queryKey: ['list', slug] })
    } catch (error) {
      tell((error as Error).message, 'problem')
    } finally {
      setMaking(false)
    }
  }
  return { data, make, isMaking }
}

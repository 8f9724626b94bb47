import { type FormEvent, type ReactElement, useEffect, useRef, useState } from 'react'
import { useDesk } from '../boot/desk-context.ts'
import type { WorkPage } from '../home/workspace-types.ts'
import { parseNumber } from '../record/parse-number.ts'
import { Button, IconButton } from '../ui/button.tsx'
import { WORK } from '../words/work/en.ts'
import { CodeField } from '../work/code-field.tsx'
import { findItems, useCode, useCodedItems } from '../work/use-coded-items.ts'
import { CountDifferences } from './count-differences.tsx'
import { type CountedRow, type KeptCount, withCounted } from './kept-count.ts'

interface CountingProps {
  readonly page: WorkPage
  readonly count: KeptCount
  readonly onChange: (count: KeptCount | undefined) => void
}

/** Scan, quantity, next: each is kept at once; what it comes to is shown before the stock is set to it. */
export function Counting({ page, count, onChange }: CountingProps): ReactElement {
  const items = useCodedItems(page.parts.items!)
  const [chosen, setChosen] = useState<Pick<CountedRow, 'item' | 'title'>>()
  const [text, setText] = useState('')
  const [missed, setMissed] = useState('')
  const [isDone, setDone] = useState(false)
  const found = text.trim() === '' ? [] : findItems(items ?? [], text).slice(0, 8)
  const choose = ({ id, title }: { id: string; title: string }): void => {
    setChosen({ item: id, title })
    setMissed('')
    setText('')
  }
  const take = useCode(items, { onFound: choose, onMissed: setMissed })
  if (isDone)
    return (
      <CountDifferences
        page={page}
        count={count}
        onBack={() => setDone(false)}
        onBooked={() => onChange(undefined)}
      />
    )
  return (
    <>
      <p className="quiet">{WORK.countIn(count.warehouse)}</p>
      <CodeField key={`${chosen?.item} ${count.rows.length}`} onCode={take} onText={setText} />
      <p role="status" className="till-missed">
        {missed === '' ? '' : WORK.noItem(missed)}
      </p>
      {found.length > 0 ? (
        <ul className="count-places">
          {found.map((one) => (
            <li key={one.id}>
              <button type="button" onClick={() => choose(one)}>
                {one.title} <span className="quiet">{one.id}</span>
              </button>
            </li>
          ))}
        </ul>
      ) : null}
      {chosen ? (
        <QtyForm
          key={chosen.item}
          item={chosen}
          before={count.rows.find(({ item }) => item === chosen.item)?.qty}
          onQty={(qty) => {
            onChange(withCounted(count, chosen, qty))
            setChosen(undefined)
          }}
        />
      ) : null}
      <Rows count={count} onChange={onChange} />
      <div className="count-ways">
        <Button kind="primary" disabled={count.rows.length === 0} onClick={() => setDone(true)}>
          {WORK.showDifferences}
        </Button>
        <Button onClick={() => onChange(undefined)}>
          {count.rows.length === 0 ? WORK.otherWarehouse : WORK.dropCount}
        </Button>
      </div>
    </>
  )
}

interface QtyFormProps {
  readonly item: Pick<CountedRow, 'title'>
  readonly before: number | undefined
  readonly onQty: (qty: number) => void
}

/** How much of what was scanned lies here; what was counted of it before is added to. */
function QtyForm({ item, before, onQty }: QtyFormProps): ReactElement {
  const { formats } = useDesk()
  const [typed, setTyped] = useState('')
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => input.current?.focus(), [])
  const qty = parseNumber(typed, formats.locale)
  function submit(event: FormEvent): void {
    event.preventDefault()
    if (typeof qty === 'number') onQty(qty)
  }
  return (
    <form className="count-qty" onSubmit={submit}>
      <strong>{item.title}</strong>
      {before === undefined ? null : <span className="quiet">{WORK.addedTo(String(before))}</span>}
      <span className="count-entry">
        <input
          ref={input}
          aria-label={WORK.qtyOf(item.title)}
          inputMode="decimal"
          autoComplete="off"
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
        <Button type="submit" kind="primary" disabled={typeof qty !== 'number'}>
          {WORK.next}
        </Button>
      </span>
    </form>
  )
}

function Rows({ count, onChange }: Omit<CountingProps, 'page'>): ReactElement | null {
  const { formats } = useDesk()
  if (count.rows.length === 0) return null
  return (
    <ul className="count-rows" aria-label={WORK.counted}>
      {count.rows.map(({ item, title, qty }) => (
        <li key={item}>
          <span>
            {title} <span className="quiet">{item}</span>
          </span>
          <strong>{qty.toLocaleString(formats.locale)}</strong>
          <IconButton
            icon="x"
            label={WORK.notCounted(title)}
            onClick={() =>
              onChange({ ...count, rows: count.rows.filter((row) => row.item !== item) })
            }
          />
        </li>
      ))}
    </ul>
  )
}

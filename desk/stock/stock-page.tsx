import '../style/stock.css'
import { type ReactElement, useState } from 'react'
import { useLocation, useSearch } from 'wouter'
import type { WorkPage } from '../home/workspace-types.ts'
import { WORK } from '../words/work/en.ts'
import { CodeField } from '../work/code-field.tsx'
import { OnPage } from '../work/on-page.tsx'
import { useCode, useCodedItems } from '../work/use-coded-items.ts'
import { Availability } from './availability.tsx'
import { ItemCard } from './item-card.tsx'

/** `/stock`: what is where; with `?item=` one item, by warehouse and with what moved it last. */
export function StockPage(): ReactElement {
  return <OnPage name="stock">{(page) => <Stock page={page} />}</OnPage>
}

function Stock({ page }: { page: WorkPage }): ReactElement {
  const [, navigate] = useLocation()
  const item = new URLSearchParams(useSearch()).get('item') ?? ''
  const items = useCodedItems(page.parts.items!)
  const [text, setText] = useState('')
  const [missed, setMissed] = useState('')
  const take = useCode(items, {
    onFound({ id }) {
      setMissed('')
      navigate(`/stock?item=${encodeURIComponent(id)}`)
    },
    onMissed: setMissed,
  })
  return (
    <div className="stock-page">
      <h1>{item === '' ? page.label : WORK.itemCard}</h1>
      <CodeField
        onCode={take}
        onText={(next) => {
          setText(next)
          setMissed('')
        }}
      />
      <p role="status" className="till-missed">
        {missed === '' ? '' : WORK.noItem(missed)}
      </p>
      {item !== '' && text === '' ? (
        <ItemCard key={item} page={page} item={item} />
      ) : (
        <Availability part={page.parts.balances!} sought={text} />
      )}
    </div>
  )
}

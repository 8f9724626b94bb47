import { type ReactElement, useState } from 'react'
import { useDesk } from '../boot/desk-context.ts'
import { parseNumber } from '../record/parse-number.ts'
import { Button, IconButton } from '../ui/button.tsx'
import { WORK } from '../words/work/en.ts'
import { rounded } from './amounts.ts'
import { money } from './money.ts'
import type { CartLine } from './till-types.ts'
import type { Cart } from './use-cart.ts'

interface CartPanelProps {
  readonly cart: Cart
  readonly onPay: () => void
}

/** The cart: its lines, what they come to by the server, and the way to the money. */
export function CartPanel({ cart, onPay }: CartPanelProps): ReactElement {
  const { formats } = useDesk()
  const { lines, amounts, total, isEstimate, isAsking, problem } = cart
  const sum = rounded(amounts.reduce<number>((all, one) => all + (one ?? 0), 0))
  const isTold = amounts.length > 0 && total !== undefined
  return (
    <>
      {lines.length === 0 ? (
        <p className="cart-empty quiet">{WORK.cartEmpty}</p>
      ) : (
        <ul className="cart-lines">
          {lines.map((line, at) => (
            <Line key={line.item.id} line={line} amount={amounts[at]} onQty={cart.setQty} />
          ))}
        </ul>
      )}
      <div className="cart-foot">
        {problem ? (
          <p role="alert" className="till-problem">
            {problem}
          </p>
        ) : null}
        {isTold && total !== sum ? (
          <p className="cart-taxes">
            <span>{WORK.taxes}</span>
            <span>{money(rounded(total - sum), formats)}</span>
          </p>
        ) : null}
        <p className="cart-total" data-busy={isAsking} aria-live="polite">
          <span>{WORK.total}</span>
          <strong>{total === undefined ? '–' : money(total, formats)}</strong>
        </p>
        {isEstimate ? <p className="cart-note">{WORK.byKeptPrices}</p> : null}
        <Button
          kind="primary"
          disabled={lines.length === 0 || total === undefined || isAsking}
          onClick={onPay}
        >
          {WORK.pay}
        </Button>
      </div>
    </>
  )
}

interface LineProps {
  readonly line: CartLine
  readonly amount: number | undefined
  readonly onQty: (id: string, qty: number) => void
}

function Line({ line: { item, qty }, amount, onQty }: LineProps): ReactElement {
  const { formats } = useDesk()
  const [typed, setTyped] = useState<string>()
  const shown = amount ?? (item.price === undefined ? undefined : rounded(item.price * qty))
  function take(): void {
    const number = parseNumber(typed ?? '', formats.locale)
    setTyped(undefined)
    if (number !== undefined && number !== null) onQty(item.id, number)
  }
  return (
    <li>
      <span className="cart-title">{item.title}</span>
      <span className="cart-qty">
        <IconButton
          icon="minus"
          label={WORK.less(item.title)}
          onClick={() => onQty(item.id, qty - 1)}
        />
        <input
          aria-label={WORK.qtyOf(item.title)}
          inputMode="decimal"
          value={typed ?? String(qty)}
          onFocus={(event) => event.currentTarget.select()}
          onChange={(event) => setTyped(event.currentTarget.value)}
          onBlur={() => typed !== undefined && take()}
          onKeyDown={(event) => event.key === 'Enter' && take()}
        />
        <IconButton
          icon="plus"
          label={WORK.more(item.title)}
          onClick={() => onQty(item.id, qty + 1)}
        />
      </span>
      <span className="cart-amount">{shown === undefined ? '–' : money(shown, formats)}</span>
    </li>
  )
}

import { type ReactElement, useState } from 'react'
import { useDesk } from '../boot/desk-context.ts'
import { parseNumber } from '../record/parse-number.ts'
import { Button } from '../ui/button.tsx'
import { WORK } from '../words/work/en.ts'
import { AmountField } from './amount-field.tsx'
import { likelyNotes, rounded, sumOf } from './amounts.ts'
import { money } from './money.ts'
import type { Taken, Way } from './till-types.ts'

interface PayPanelProps {
  readonly total: number
  readonly isEstimate: boolean
  readonly ways: readonly Way[]
  readonly onBack: () => void
  readonly onPaid: (taken: readonly Taken[]) => void
}

/** Takes the money: an amount and how it was paid, in parts where somebody wants that; only cash may be more. */
export function PayPanel({ total, isEstimate, ways, onBack, onPaid }: PayPanelProps): ReactElement {
  const { formats } = useDesk()
  const [taken, setTaken] = useState<readonly Taken[]>([])
  const [typed, setTyped] = useState<string>()
  const rest = rounded(total - sumOf(taken))
  const amount = typed === undefined ? rest : (parseNumber(typed, formats.locale) ?? Number.NaN)
  const first = [...ways].sort((one, other) => Number(other.isUsual) - Number(one.isUsual))
  const cash = ways.find(({ isCash }) => isCash)

  function take({ id, isCash }: Way, given = amount): void {
    if (!(given > 0)) return
    const next = [
      ...taken,
      { way: id, isCash, amount: rounded(isCash ? given : Math.min(given, rest)) },
    ]
    if (sumOf(next) >= total) onPaid(merged(next))
    else {
      setTaken(next)
      setTyped(undefined)
    }
  }

  return (
    <div className="pay">
      <Button icon="arrow-left" onClick={onBack}>
        {WORK.backToCart}
      </Button>
      <p className="pay-total">
        <span>{WORK.toPay}</span>
        <strong>{money(rest, formats)}</strong>
      </p>
      {isEstimate ? <p className="cart-note">{WORK.byKeptPrices}</p> : null}
      {taken.length > 0 ? (
        <ul className="pay-taken">
          {taken.map((one, at) => (
            <li key={at}>
              <span>{one.way}</span>
              <span>{money(one.amount, formats)}</span>
            </li>
          ))}
        </ul>
      ) : null}
      <AmountField
        label={WORK.given}
        value={
          typed ??
          rest.toLocaleString(formats.locale, { minimumFractionDigits: 2, useGrouping: false })
        }
        autoFocus
        onChange={setTyped}
        onEnter={() => first[0] && take(first[0])}
      />
      {cash ? (
        <fieldset className="pay-notes" aria-label={WORK.notes}>
          {likelyNotes(rest).map((note) => (
            <Button key={note} onClick={() => take(cash, note)}>
              {money(note, formats)}
            </Button>
          ))}
        </fieldset>
      ) : null}
      <div className="pay-ways">
        {first.map((way, at) => (
          <Button
            key={way.id}
            kind={at === 0 ? 'primary' : 'plain'}
            icon={way.isCash ? 'banknote' : 'credit-card'}
            disabled={!(amount > 0)}
            onClick={() => take(way)}
          >
            {way.id}
          </Button>
        ))}
      </div>
      <p className="cart-note quiet">{WORK.payHint}</p>
    </div>
  )
}

/** One amount for each way. */
function merged(taken: readonly Taken[]): readonly Taken[] {
  const sums = new Map<string, Taken>()
  for (const one of taken) {
    const before = sums.get(one.way)?.amount ?? 0
    sums.set(one.way, { ...one, amount: rounded(before + one.amount) })
  }
  return [...sums.values()]
}

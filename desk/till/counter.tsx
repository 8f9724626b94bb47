import { type ReactElement, type ReactNode, useState } from 'react'
import type { RecordData } from '../data/types.ts'
import type { WorkPage } from '../home/workspace-types.ts'
import { Button } from '../ui/button.tsx'
import { Icon } from '../ui/icon.tsx'
import { WORK } from '../words/work/en.ts'
import { CartPanel } from './cart-panel.tsx'
import { CloseDialog } from './close-dialog.tsx'
import { ItemTiles } from './item-tiles.tsx'
import { PayPanel } from './pay-panel.tsx'
import { SoldPanel } from './sold-panel.tsx'
import type { OpenTill } from './till-types.ts'
import { useCart } from './use-cart.ts'
import { useOffline } from './use-offline.ts'
import { useSales } from './use-sales.ts'
import { useSelling } from './use-selling.ts'
import { useItems } from './use-till.ts'
import { Waiting } from './waiting.tsx'

interface CounterProps {
  readonly page: WorkPage
  readonly till: OpenTill
  /** The opening, where the network is there. */
  readonly opening: RecordData | undefined
  readonly other: ReactNode
}

/** The counter of an open till: items on the left, the cart on the right, money when it is paid. */
export function Counter({ page, till, opening, other }: CounterProps): ReactElement {
  const isOffline = useOffline()
  const part = page.parts.sales!
  const items = useItems(page, till, isOffline)
  const cart = useCart(part, till, isOffline)
  const sales = useSales(part)
  const selling = useSelling({ part, till, items, cart, sales })
  const [isClosing, setClosing] = useState(false)
  const { step, setStep, last } = selling
  return (
    <div className="till selling">
      <header className="till-head">
        <h1>{till.id}</h1>
        {isOffline ? <NoNetwork /> : null}
        <div className="till-end">
          {other}
          {opening && !isOffline ? (
            <Button icon="lock" onClick={() => setClosing(true)}>
              {WORK.closeTill}
            </Button>
          ) : null}
        </div>
      </header>
      <Waiting sales={sales} slug={part.resource} onReopen={selling.reopen} />
      <div className="till-sides">
        <ItemTiles
          items={items}
          part={page.parts.items!}
          isOffline={isOffline}
          onAdd={(item) => {
            cart.add(item)
            setStep('cart')
          }}
        />
        <section className="till-side" aria-label={WORK.cart}>
          {step === 'sold' && last ? (
            <SoldPanel
              sale={last}
              booked={sales.booked?.key === last.key ? sales.booked : undefined}
              kept={sales.kept.find(({ key }) => key === last.key)}
              part={part}
              onNext={() => setStep('cart')}
            />
          ) : null}
          {step === 'pay' ? (
            <PayPanel
              total={cart.total ?? 0}
              isEstimate={cart.isEstimate}
              ways={till.ways}
              onBack={() => setStep('cart')}
              onPaid={selling.sell}
            />
          ) : null}
          {step === 'cart' ? <CartPanel cart={cart} onPay={() => setStep('pay')} /> : null}
        </section>
      </div>
      {isClosing && opening ? (
        <CloseDialog
          page={page}
          till={till}
          waiting={sales.kept.length}
          onClose={() => setClosing(false)}
        />
      ) : null}
    </div>
  )
}

function NoNetwork(): ReactElement {
  return (
    <span className="till-offline">
      <Icon name="triangle-alert" size={14} />
      {WORK.sellingOffline}
    </span>
  )
}

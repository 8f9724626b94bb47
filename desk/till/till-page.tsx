import '../style/till.css'
import { type ReactElement, type ReactNode, useEffect, useState } from 'react'
import { useDesk } from '../boot/desk-context.ts'
import type { RecordData } from '../data/types.ts'
import type { WorkPage } from '../home/workspace-types.ts'
import { NotFound } from '../shell/not-found.tsx'
import { Button } from '../ui/button.tsx'
import { Icon } from '../ui/icon.tsx'
import { PageSkeleton } from '../ui/skeleton.tsx'
import { WORK } from '../words/work/en.ts'
import { OnPage } from '../work/on-page.tsx'
import { Counter } from './counter.tsx'
import { chooseTill, chosenTill } from './kept.ts'
import { keepOffline } from './offline.ts'
import { OpenForm } from './open-form.tsx'
import { useSales } from './use-sales.ts'
import { openTill, useTills } from './use-till.ts'
import { Waiting } from './waiting.tsx'

/** `/pos`: a till, which is opened, sold at, and closed with what was counted. */
export function TillPage(): ReactElement {
  useEffect(() => void keepOffline(), [])
  return <OnPage name="pos">{(page) => <Till page={page} />}</OnPage>
}

function Till({ page }: { page: WorkPage }): ReactElement {
  const [chosen, setChosen] = useState(chosenTill)
  const { tills, isLoaded, till, opening, ways, error } = useTills(page, chosen)
  if (error) return <NotFound message={error.message} />
  if (!isLoaded) return <PageSkeleton />
  if (!till)
    return (
      <Choice
        page={page}
        tills={tills}
        onChoose={(id) => {
          chooseTill(id)
          setChosen(id)
        }}
      />
    )
  if (opening === undefined || ways === undefined) return <PageSkeleton />
  const other =
    tills.length > 1 ? (
      <Button
        icon="arrow-left-right"
        onClick={() => {
          chooseTill('')
          setChosen('')
        }}
      >
        {WORK.otherTill}
      </Button>
    ) : null
  if (opening === null)
    return (
      <TillFrame page={page} title={till.id} end={other}>
        <OpenForm page={page} till={till} ways={ways} />
      </TillFrame>
    )
  return (
    <Counter
      key={opening.id}
      page={page}
      till={openTill(page.parts, till, opening, ways)}
      opening={opening}
      other={other}
    />
  )
}

interface ChoiceProps {
  readonly page: WorkPage
  readonly tills: readonly RecordData[]
  readonly onChoose: (id: string) => void
}

/** The tills to choose from; where there is none, the way to make one. */
function Choice({ page, tills, onChoose }: ChoiceProps): ReactElement {
  const { entryOf } = useDesk()
  const slug = page.parts.tills!.resource
  return (
    <TillFrame page={page} title={page.label}>
      {tills.length === 0 ? (
        <div className="empty">
          <Icon name="store" size={40} />
          <h2>{WORK.noTill}</h2>
          <p className="quiet">{WORK.noTillHint}</p>
          {entryOf(slug)?.can.includes('create') ? (
            <a className="button primary" href={`/${slug}/new`}>
              {WORK.newTill}
            </a>
          ) : null}
        </div>
      ) : (
        <ul className="till-choice" aria-label={WORK.tills}>
          {tills.map(({ id }) => (
            <li key={id}>
              <button type="button" onClick={() => onChoose(id)}>
                <Icon name="store" size={20} />
                {id}
              </button>
            </li>
          ))}
        </ul>
      )}
    </TillFrame>
  )
}

interface TillFrameProps {
  readonly page: WorkPage
  readonly title: string
  readonly end?: ReactNode
  readonly children: ReactNode
}

/** What stands around a till that is not sold at; sales that are not booked are seen and sent here too. */
function TillFrame({ page, title, end, children }: TillFrameProps): ReactElement {
  const part = page.parts.sales!
  const sales = useSales(part)
  return (
    <div className="till">
      <header className="till-head">
        <h1>{title}</h1>
        <div className="till-end">{end}</div>
      </header>
      <Waiting sales={sales} slug={part.resource} />
      {children}
    </div>
  )
}

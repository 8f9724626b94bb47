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
import { useWorkPage } from '../work/use-work-page.ts'
import { Counter } from './counter.tsx'
import { chooseTill, chosenTill } from './kept.ts'
import { keepOffline } from './offline.ts'
import { OpenForm } from './open-form.tsx'
import { openTill, useTills } from './use-till.ts'

/** `/pos`: a till, which is opened, sold at, and closed with what was counted. */
export function TillPage(): ReactElement {
  const { boot } = useDesk()
  const page = useWorkPage('pos')
  const title = page?.label
  useEffect(() => {
    if (title) document.title = `${title} · ${boot.workspace.label}`
  }, [title, boot])
  useEffect(() => void keepOffline(), [])
  return page ? <Till page={page} /> : <NotFound />
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
      <TillFrame title={till.id} end={other}>
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
    <TillFrame title={page.label}>
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

/** What stands around a till that is not sold at. */
export function TillFrame({
  title,
  end,
  children,
}: {
  title: string
  end?: ReactNode
  children: ReactNode
}): ReactElement {
  return (
    <div className="till">
      <header className="till-head">
        <h1>{title}</h1>
        <div className="till-end">{end}</div>
      </header>
      {children}
    </div>
  )
}

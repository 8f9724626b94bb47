import type { ReactElement } from 'react'
import { useDesk } from '../boot/desk-context.ts'
import { formatAge, formatMoment } from '../data/format.ts'
import type { SystemPage } from '../developer/developer-types.ts'
import { useChange, useSystem } from '../developer/use-system.ts'
import { NotFound } from '../shell/not-found.tsx'
import { Button } from '../ui/button.tsx'
import { Icon } from '../ui/icon.tsx'
import { Pill } from '../ui/pill.tsx'
import { PageSkeleton } from '../ui/skeleton.tsx'
import { useToast } from '../ui/toast.tsx'
import { WORDS } from '../words/en.ts'
import { PAGES } from '../words/pages/en.ts'
import { deviceOf } from './device.ts'

/** A session as the API shows it. */
interface Session {
  readonly id: string
  readonly created: string
  readonly last_seen: string
  readonly address: string | null
  readonly agent: string | null
  /** Whether it is the one that asks. */
  readonly current: boolean
}

/** A pair of key and secret, by which a program signs in as the person. */
interface Pair {
  readonly id: string
  readonly label: string | null
  readonly prefix: string
  readonly scope: string
  readonly last_used: string | null
}

const SESSIONS = '/v1/me/sessions'
const PAIRS = '/v1/me/pairs'

/** Where the person is signed in, browser by browser and program by program, each with what ends it. */
export function SessionsPage(): ReactElement {
  const { formats } = useDesk()
  const sessions = useSystem<SystemPage<Session>>(`${SESSIONS}?limit=100`)
  const pairs = useSystem<SystemPage<Pair>>(`${PAIRS}?limit=100`)
  const { change, isBusy } = useChange()
  const tell = useToast()
  const error = sessions.error ?? pairs.error
  if (error) return <NotFound message={error.message} />
  if (!sessions.data || !pairs.data) return <PageSkeleton />
  const all = [...sessions.data.data].sort(
    (one, other) => Number(other.current) - Number(one.current),
  )
  async function end(path: string): Promise<void> {
    if (await change('DELETE', path)) tell(PAGES.sessionEnded)
  }
  return (
    <>
      <header className="part-head">
        <div>
          <h1>{WORDS.sessions}</h1>
          <p className="quiet">{PAGES.sessionsAbout}</p>
        </div>
        <Button
          kind="danger"
          icon="log-out"
          busy={isBusy}
          disabled={all.length < 2}
          onClick={() => void end(`${SESSIONS}?current=false`)}
        >
          {PAGES.endOthers}
        </Button>
      </header>
      <ul className="devices">
        {all.map((one) => {
          const { name, icon } = deviceOf(one.agent)
          return (
            <li key={one.id} data-current={one.current}>
              <Icon name={icon} size={20} />
              <div>
                <strong title={one.agent ?? undefined}>{name ?? PAGES.unknownDevice}</strong>{' '}
                {one.current ? <Pill text={PAGES.thisDevice} color="green" /> : null}
                <p className="quiet">
                  {one.address ?? ''} · {PAGES.lastSeen(formatAge(one.last_seen, formats))} ·{' '}
                  {PAGES.signedInAt(formatMoment(one.created, formats))}
                </p>
              </div>
              {one.current ? null : (
                <Button busy={isBusy} onClick={() => void end(`${SESSIONS}/${one.id}`)}>
                  {PAGES.endSession}
                  <span className="visually-hidden"> {name ?? PAGES.unknownDevice}</span>
                </Button>
              )}
            </li>
          )
        })}
      </ul>
      <h2>{PAGES.ownPrograms}</h2>
      {pairs.data.data.length === 0 ? <p className="quiet">{PAGES.noPrograms}</p> : null}
      <ul className="devices">
        {pairs.data.data.map((pair) => (
          <Program key={pair.id} pair={pair} isBusy={isBusy} onEnd={end} />
        ))}
      </ul>
    </>
  )
}

interface ProgramProps {
  readonly pair: Pair
  readonly isBusy: boolean
  readonly onEnd: (path: string) => Promise<void>
}

/** A program that works with a pair of the person. */
function Program({ pair, isBusy, onEnd }: ProgramProps): ReactElement {
  const { formats } = useDesk()
  return (
    <li>
      <Icon name="key-round" size={20} />
      <div>
        <strong>{pair.label ?? pair.prefix}</strong> <Pill text={pair.scope} />
        <p className="quiet">
          {pair.prefix} ·{' '}
          {pair.last_used === null
            ? PAGES.neverUsed
            : PAGES.lastSeen(formatAge(pair.last_used, formats))}
        </p>
      </div>
      <Button busy={isBusy} onClick={() => void onEnd(`${PAIRS}/${pair.id}`)}>
        {PAGES.endSession}
        <span className="visually-hidden"> {pair.label ?? pair.prefix}</span>
      </Button>
    </li>
  )
}

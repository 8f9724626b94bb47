import { lazy, type ReactElement, Suspense, useState } from 'react'
import { Link } from 'wouter'
import { useDesk } from '../boot/desk-context.ts'
import { formatMoment } from '../data/format.ts'
import { Icon } from '../ui/icon.tsx'
import { WORDS } from '../words/en.ts'
import { speakPages } from '../words/pages/speak-pages.ts'
import { type RecentRecord, recentRecords } from './recent.ts'

const HomeBody = lazy(async () => {
  const [{ HomeBody: body }] = await Promise.all([import('./home-body.tsx'), speakPages()])
  return { default: body }
})

/** When the books were proven last, and whether they hold. */
function Proof(): ReactElement | null {
  const { boot, formats } = useDesk()
  const { proof } = boot
  if (!proof) return null
  const when = formatMoment(proof.at, formats)
  return (
    <p className="proof" data-ok={proof.ok}>
      <Icon name={proof.ok ? 'check' : 'circle-alert'} size={14} />
      {proof.ok ? WORDS.proven(when, proof.checks) : WORDS.notProven(when, proof.differences)}
    </p>
  )
}

/** `/`: where people land, with what they saw last and all there is. */
export function HomePage(): ReactElement {
  const { boot } = useDesk()
  const [recent] = useState(recentRecords)
  const [hour] = useState(() => new Date().getHours())
  const first = boot.person.full_name.split(/[\s@]/)[0] ?? ''
  return (
    <div className="home">
      <header className="home-head">
        <h1>{WORDS.greeting(hour, first)}</h1>
        <Proof />
      </header>
      <Suspense>
        <HomeBody />
      </Suspense>
      {recent.length > 0 ? <Recent recent={recent} /> : null}
    </div>
  )
}

function Recent({ recent }: { recent: readonly RecentRecord[] }): ReactElement {
  return (
    <section aria-labelledby="recent">
      <h2 id="recent">{WORDS.recent}</h2>
      <ul className="recent">
        {recent.map(({ slug, id, title, kind }) => (
          <li key={`${slug}/${id}`}>
            <Link href={`/${slug}/${encodeURIComponent(id)}`}>
              <strong>{title}</strong>
              <span>
                {kind} · {id}
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  )
}

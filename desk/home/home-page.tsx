import { lazy, type ReactElement, Suspense, useState } from 'react'
import { Link } from 'wouter'
import { useDesk } from '../boot/desk-context.ts'
import { formatMoment } from '../data/format.ts'
import { Icon } from '../ui/icon.tsx'
import { WORDS } from '../words/en.ts'
import { recentRecords } from './recent.ts'

const OpenWork = lazy(() => import('./open-work.tsx').then((file) => ({ default: file.OpenWork })))

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
      <h1>{WORDS.greeting(hour, first)}</h1>
      <Proof />
      <Suspense>
        <OpenWork />
      </Suspense>
      <section aria-labelledby="recent">
        <h2 id="recent">{WORDS.recent}</h2>
        {recent.length === 0 ? <p className="quiet">{WORDS.recentEmpty}</p> : null}
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
      <section aria-labelledby="browse">
        <h2 id="browse">{WORDS.browse}</h2>
        <div className="modules">
          {boot.modules.map(({ name, label }) => (
            <div key={name}>
              <h3>{label}</h3>
              <ul>
                {boot.resources
                  .filter((one) => one.module === name)
                  .map(({ slug, label_plural, icon }) => (
                    <li key={slug}>
                      <Link href={`/${slug}`}>
                        <Icon name={icon ?? 'file'} />
                        {label_plural}
                      </Link>
                    </li>
                  ))}
              </ul>
            </div>
          ))}
        </div>
      </section>
    </div>
  )
}

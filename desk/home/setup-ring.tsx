import { useQueries } from '@tanstack/react-query'
import type { ReactElement } from 'react'
import { Link } from 'wouter'
import { useDesk } from '../boot/desk-context.ts'
import { useDeskSettings } from '../data/desk-settings.ts'
import type { ListAnswer, ResourceEntry } from '../data/types.ts'
import { Icon } from '../ui/icon.tsx'
import { WORDS } from '../words/en.ts'
import { PAGES } from '../words/pages/en.ts'
import { inSentence, sentenceCase } from '../words/sentence-case.ts'
import type { Workspace } from './workspace-types.ts'

const MOST_STEPS = 5
const RADIUS = 21
const AROUND = 2 * Math.PI * RADIUS

/**
 * The first steps of a new workspace: what its start leads to and nothing is in yet, in that order. It goes when each is done, or
 * when somebody has had enough of it.
 */
export function SetupRing({ workspace }: { workspace: Workspace }): ReactElement | null {
  const { boot, client, entryOf } = useDesk()
  const { settings, change } = useDeskSettings()
  const steps = workspace.shortcuts
    .flatMap(({ resource }) => (resource === undefined ? [] : (entryOf(resource) ?? [])))
    .filter(({ locked, can }) => !locked && can.includes('create'))
    .slice(0, MOST_STEPS)
  // Who may invite people is who sets a workspace up.
  const mayInvite = boot.resources.some(
    ({ serves, can }) => serves === 'users' && can.includes('create'),
  )
  const isOver = settings.isSetUp === true || !mayInvite
  const counts = useQueries({
    queries: steps.map(({ slug }) => ({
      queryKey: ['list', slug, 'any'],
      queryFn: async () =>
        (await client.ask<ListAnswer>(`/v1/${slug}?fields=id&limit=1`)).body.data.length > 0,
      enabled: !isOver,
    })),
  })
  if (isOver || steps.length === 0 || counts.some(({ data }) => data === undefined)) return null
  const done = counts.filter(({ data }) => data === true).length
  if (done === steps.length) return null
  const next = steps.find((_, at) => counts[at]?.data === false)
  return (
    <section className="setup-ring" aria-labelledby="first-steps">
      <svg width={56} height={56} aria-hidden="true">
        <circle cx={28} cy={28} r={RADIUS} className="ring" />
        <circle
          cx={28}
          cy={28}
          r={RADIUS}
          className="ring done"
          strokeDasharray={`${(done / steps.length) * AROUND} ${AROUND}`}
          transform="rotate(-90 28 28)"
        />
        <text x={28} y={33} textAnchor="middle">
          {done}/{steps.length}
        </text>
      </svg>
      <div className="setup-text">
        <h2 id="first-steps">{PAGES.firstSteps}</h2>
        <p className="quiet">{PAGES.firstStepsDone(String(done), String(steps.length))}</p>
      </div>
      <button
        type="button"
        className="link-button"
        onClick={() => change((now) => ({ ...now, isSetUp: true }))}
      >
        {PAGES.skipSteps}
      </button>
      <ol>
        {steps.map((entry, at) => (
          <Step
            key={entry.slug}
            entry={entry}
            isDone={counts[at]?.data === true}
            isNext={entry === next}
          />
        ))}
      </ol>
    </section>
  )
}

interface StepProps {
  readonly entry: ResourceEntry
  readonly isDone: boolean
  readonly isNext: boolean
}

function Step({ entry, isDone, isNext }: StepProps): ReactElement {
  const { slug, label, label_plural, icon, can } = entry
  return (
    <li data-done={isDone} data-next={isNext}>
      <Icon name={isDone ? 'check' : (icon ?? 'file')} size={18} />
      <strong>{sentenceCase(label_plural)}</strong>
      {isDone ? (
        <Link href={`/${slug}`}>{PAGES.look}</Link>
      ) : (
        <span className="step-ways">
          <Link href={`/${slug}/new`}>{WORDS.newOne(inSentence(label))}</Link>
          {can.includes('import') ? (
            <Link href={`/${slug}/import`}>{WORDS.importButton}</Link>
          ) : null}
        </span>
      )}
    </li>
  )
}

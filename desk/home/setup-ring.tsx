import type { ReactElement } from 'react'
import { Link } from 'wouter'
import { useDesk } from '../boot/desk-context.ts'
import { useDeskSettings } from '../data/desk-settings.ts'
import { withPassed } from '../data/passed-steps.ts'
import { Icon } from '../ui/icon.tsx'
import { WORDS } from '../words/en.ts'
import { PAGES } from '../words/pages/en.ts'
import { inSentence } from '../words/sentence-case.ts'
import { type FirstStep, useFirstSteps } from './first-steps.ts'
import type { Workspace } from './workspace-types.ts'

const RADIUS = 21
const AROUND = 2 * Math.PI * RADIUS

/** Where this browser keeps that it has seen steps that were not done: what is done then stays until somebody has seen it. */
const SEEN = 'first-steps'

/**
 * The first steps of a new workspace, in its order: each with its way, each may be skipped; and what comes after them. It goes
 * when somebody has had enough of it; a workspace that has all of it when it is first seen never shows it.
 */
export function SetupRing({ workspace }: { workspace: Workspace }): ReactElement | null {
  const { boot } = useDesk()
  const { settings, change } = useDeskSettings()
  // Who may invite people is who sets a workspace up.
  const mayInvite = boot.resources.some(
    ({ serves, can }) => serves === 'users' && can.includes('create'),
  )
  const steps = useFirstSteps(workspace, settings.isSetUp === true || !mayInvite)
  if (!steps || steps.length === 0) return null
  const done = steps.filter(({ isDone }) => isDone).length
  const isAll = done === steps.length
  if (isAll && sessionStorage.getItem(SEEN) === null) return null
  if (!isAll) sessionStorage.setItem(SEEN, '1')
  const next = steps.find(({ isDone }) => !isDone)
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
        <h2 id="first-steps">{isAll ? PAGES.firstStepsOver : PAGES.firstSteps}</h2>
        <p className="quiet" role="status">
          {isAll ? PAGES.firstStepsThen : PAGES.firstStepsDone(String(done), String(steps.length))}
        </p>
      </div>
      <button
        type="button"
        className="link-button"
        onClick={() => change((now) => ({ ...now, isSetUp: true }))}
      >
        {PAGES.skipSteps}
      </button>
      <ol>
        {steps.map((step) => (
          <Step
            key={`${step.resource} ${step.label}`}
            step={step}
            isNext={step === next}
            onSkip={() => change((now) => withPassed(now, step, 'skipped'))}
          />
        ))}
      </ol>
      <AndThen />
    </section>
  )
}

interface StepProps {
  readonly step: FirstStep
  readonly isNext: boolean
  readonly onSkip: () => void
}

function Step({ step, isNext, onSkip }: StepProps): ReactElement {
  const { label, entry, href, isOn, isDone, isSkipped } = step
  return (
    <li data-done={isDone && !isSkipped} data-skipped={isSkipped} data-next={isNext}>
      <Icon name={isDone && !isSkipped ? 'check' : (entry.icon ?? 'file')} size={18} />
      <strong>{label}</strong>
      <span className="step-ways">
        {isSkipped ? <span className="quiet">{PAGES.skipped}</span> : null}
        {isDone && !isSkipped ? <Link href={`/${entry.slug}`}>{PAGES.look}</Link> : null}
        {isDone || href === undefined ? null : (
          <Link href={href}>{isOn ? PAGES.goOnWith : WORDS.newOne(inSentence(entry.label))}</Link>
        )}
        {isDone || isOn || step.on !== undefined || !entry.can.includes('import') ? null : (
          <Link href={`/${entry.slug}/import`}>{PAGES.pasteTable}</Link>
        )}
        {isDone ? null : (
          <button
            type="button"
            className="link-button quiet"
            aria-label={PAGES.skipStep(label)}
            onClick={onSkip}
          >
            {PAGES.skip}
          </button>
        )}
      </span>
    </li>
  )
}

/** What comes after the first steps: the bank, and others who work here. */
function AndThen(): ReactElement {
  const { boot } = useDesk()
  // Above the plan too: the page says which has it.
  const bank = boot.resources.find(({ serves }) => serves === 'bank_lines')
  return (
    <p className="and-then">
      <span className="quiet">{PAGES.andThen}</span>
      {bank && (bank.locked || bank.can.includes('create')) ? (
        <Link href="/bank">
          <Icon name="landmark" size={14} />
          {PAGES.matchBank}
        </Link>
      ) : null}
      <Link href="/settings/users?invite=1">
        <Icon name="user-plus" size={14} />
        {PAGES.inviteColleague}
      </Link>
    </p>
  )
}

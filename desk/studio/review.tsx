import { type ReactElement, useState } from 'react'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { CheckField } from '../ui/fields.tsx'
import { WORDS } from '../words/en.ts'
import { PAGES } from '../words/pages/en.ts'
import type { TrialAnswer } from './studio-types.ts'

interface ReviewProps {
  readonly trial: TrialAnswer
  readonly isBusy: boolean
  readonly onClose: () => void
  readonly onSave: (acceptLosses: boolean) => void
}

/** What a change comes to before it is saved: mistakes, the lines of the file, the tables, what is lost, and rights. */
export function Review({ trial, isBusy, onClose, onSave }: ReviewProps): ReactElement {
  const { ok, file, diff, losses, rights } = trial
  const [isAgreed, setAgreed] = useState(false)
  const isNothing = diff.length === 0
  return (
    <Dialog title={PAGES.studioReview} onClose={onClose} wide>
      <div className="studio-review">
        <Mistakes trial={trial} />
        <h3>
          {PAGES.studioText} <code>{file}</code>
        </h3>
        {isNothing ? <p className="quiet">{PAGES.studioNothing}</p> : <Diff diff={diff} />}
        <Plan trial={trial} />
        {rights.length > 0 ? (
          <>
            <h3>{PAGES.studioParts.rights}</h3>
            <ul className="studio-rights">
              {rights.map(({ role, before, after }) => (
                <li key={role}>
                  <strong>{role}</strong> {PAGES.studioRightsNow(told(before), told(after))}
                </li>
              ))}
            </ul>
          </>
        ) : null}
        {losses.length > 0 ? (
          <div className="studio-losses" role="alert">
            <h3>{PAGES.studioLosses}</h3>
            <ul>
              {losses.map((loss) => (
                <li key={loss}>{loss}</li>
              ))}
            </ul>
            <CheckField label={PAGES.studioAgree} value={isAgreed} onChange={setAgreed} />
          </div>
        ) : null}
      </div>
      <div className="dialog-actions">
        <Button onClick={onClose}>{WORDS.back}</Button>
        <Button
          kind="primary"
          busy={isBusy}
          disabled={!ok || isNothing || (losses.length > 0 && !isAgreed)}
          onClick={() => onSave(isAgreed)}
          autoFocus
        >
          {WORDS.save}
        </Button>
      </div>
    </Dialog>
  )
}

function told(rights: readonly string[]): string {
  const words = rights.map((right) => PAGES.rights[right as keyof typeof PAGES.rights] ?? right)
  return words.length === 0 ? PAGES.studioNoRight : words.join(', ')
}

function Mistakes({ trial }: { readonly trial: TrialAnswer }): ReactElement | null {
  const { problems, unsayable, warnings, migration } = trial
  const refused = migration?.refused ?? []
  const lines = [
    ...unsayable.map(({ field, message }) => ({ place: field, message })),
    ...problems.map(({ file, line, column, message }) => ({
      place: `${file}:${line}:${column}`,
      message,
    })),
    ...refused.map(({ sentence, reason, remedy }) => ({
      place: sentence,
      message: `${reason}; ${remedy}`,
    })),
  ]
  return (
    <>
      {lines.length > 0 ? (
        <div className="studio-mistakes" role="alert">
          <h3>{PAGES.studioMistakes}</h3>
          <ul>
            {lines.map(({ place, message }) => (
              <li key={`${place} ${message}`}>
                <code>{place}</code> {message}
              </li>
            ))}
          </ul>
        </div>
      ) : null}
      {warnings.map(({ file, line, message }) => (
        <p key={`${file}:${line} ${message}`} className="studio-warning">
          <code>
            {file}:{line}
          </code>{' '}
          {message}
        </p>
      ))}
    </>
  )
}

const SIGNS = { '+': 'new', '-': 'gone', ' ': 'same' } as const

function Diff({ diff }: Pick<TrialAnswer, 'diff'>): ReactElement {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keys
    <pre className="studio-diff" tabIndex={0}>
      {diff.map(({ sign, text }, at) => (
        <span key={at} data-sign={SIGNS[sign]}>
          {sign} {text}
          {'\n'}
        </span>
      ))}
    </pre>
  )
}

function Plan({ trial: { migration } }: { readonly trial: TrialAnswer }): ReactElement | null {
  if (!migration) return null
  const { steps, fills, hints, locks } = migration
  const lines = [...steps, ...fills].map(({ sentence, task, rows, seconds }) => ({
    text: sentence ?? PAGES.studioComputes(task ?? ''),
    cost: PAGES.studioCost(rows.toLocaleString(), seconds < 1 ? '< 1' : String(Math.ceil(seconds))),
  }))
  return (
    <>
      <h3>{PAGES.studioMigration}</h3>
      {lines.length === 0 ? (
        <p className="quiet">{PAGES.studioNoMigration}</p>
      ) : (
        <>
          <ul>
            {lines.map(({ text, cost }) => (
              <li key={text}>
                {text} <small className="quiet">{cost}</small>
              </li>
            ))}
          </ul>
          <p className="quiet">{locks}</p>
        </>
      )}
      {hints.map((hint) => (
        <p key={hint} className="studio-warning">
          {hint}
        </p>
      ))}
    </>
  )
}

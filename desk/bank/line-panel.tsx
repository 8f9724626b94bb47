import { type ReactElement, useState } from 'react'
import { Link } from 'wouter'
import { useDesk } from '../boot/desk-context.ts'
import { formatDate } from '../data/format.ts'
import type { ActionInfo, ResourceInfo } from '../data/types.ts'
import { Button } from '../ui/button.tsx'
import { Icon } from '../ui/icon.tsx'
import { WORDS } from '../words/en.ts'
import { PAGES } from '../words/pages/en.ts'
import { sentenceCase } from '../words/sentence-case.ts'
import { ActionDialog } from './action-dialog.tsx'
import { amountOf } from './amount-of.ts'
import type { BankLine, Suggestion } from './bank-types.ts'

interface PanelProps {
  readonly resource: ResourceInfo
  readonly line: BankLine
  /** Undefined while they are looked for. */
  readonly suggestions: readonly Suggestion[] | undefined
  readonly isBusy: boolean
  readonly onTake: (suggestion: Suggestion) => void
  readonly onDone: () => void
}

/** One line whole: what the bank says of it, what it may stand for, and what else can be done with it. */
export function LinePanel({
  resource,
  line,
  suggestions,
  isBusy,
  onTake,
  onDone,
}: PanelProps): ReactElement {
  const { formats } = useDesk()
  const [action, setAction] = useState<ActionInfo>()
  const asking = resource.actions.filter(({ input }) => input.length > 1)
  const facts = [
    [PAGES.day, formatDate(line.date, formats)],
    [PAGES.who, line.bank_party_name],
    [PAGES.purpose, line.description],
    [PAGES.reference, line.reference_number],
    [PAGES.account, line._titles?.bank_account ?? line.bank_account],
  ].filter(([, value]) => value)
  return (
    <section className="line-panel" aria-label={PAGES.chosenLine}>
      <header>
        <p className="line-big" data-in={line.amount > 0}>
          {amountOf(line, formats)}
        </p>
        <Link href={`/${resource.slug}/${encodeURIComponent(line.id)}`}>{line.id}</Link>
      </header>
      <dl className="line-facts">
        {facts.map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <h2>{PAGES.standsFor}</h2>
      <Suggestions all={suggestions} isBusy={isBusy} onTake={onTake} />
      <h2>{PAGES.orElse}</h2>
      <div className="line-actions">
        {asking.map((one) => (
          <button
            key={one.name}
            type="button"
            className="line-action"
            onClick={() => setAction(one)}
          >
            <strong>{sentenceCase(one.label)}</strong>
            <span className="quiet">{one.description}</span>
          </button>
        ))}
      </div>
      {action ? (
        <ActionDialog
          resource={resource}
          line={line}
          action={action}
          onClose={() => setAction(undefined)}
          onDone={() => {
            setAction(undefined)
            onDone()
          }}
        />
      ) : null}
    </section>
  )
}

interface SuggestionsProps {
  readonly all: readonly Suggestion[] | undefined
  readonly isBusy: boolean
  readonly onTake: (suggestion: Suggestion) => void
}

function Suggestions({ all, isBusy, onTake }: SuggestionsProps): ReactElement {
  return (
    <div aria-live="polite" className="suggestions">
      {all === undefined ? <p className="quiet">{WORDS.loading}</p> : null}
      {all?.length === 0 ? <p className="quiet">{PAGES.noSuggestion}</p> : null}
      {(all ?? []).map((one, at) => (
        <div key={one.key} className="suggestion" data-first={at === 0}>
          <kbd>{at === 0 ? 'Enter' : at + 1}</kbd>
          <span className="line-text">
            <strong>{one.title}</strong>
            <span className="quiet">{one.hint}</span>
          </span>
          {one.href ? (
            <Link href={one.href} className="icon-button" aria-label={WORDS.open(one.title)}>
              <Icon name="arrow-up-right" />
            </Link>
          ) : null}
          <Button
            kind={at === 0 ? 'primary' : 'plain'}
            disabled={isBusy}
            onClick={() => onTake(one)}
          >
            {one.books ? PAGES.bookAndAccept : PAGES.accept}
          </Button>
        </div>
      ))}
    </div>
  )
}

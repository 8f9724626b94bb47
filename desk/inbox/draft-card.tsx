import { type ReactElement, useState } from 'react'
import { useLocation } from 'wouter'
import { useDesk } from '../boot/desk-context.ts'
import { formatAge, formatMoment, formatValue } from '../data/format.ts'
import { statusField } from '../list/list-state.ts'
import { recordAddress, titleOf } from '../list/row-parts.tsx'
import { Consequences } from '../record/consequences.tsx'
import { type NextStep, stepsOf } from '../record/steps.ts'
import { useShortcuts } from '../shell/shortcuts.ts'
import { actorText } from '../together/use-notifications.ts'
import { Button } from '../ui/button.tsx'
import { Icon } from '../ui/icon.tsx'
import { PAGES } from '../words/pages/en.ts'
import { sentenceCase } from '../words/sentence-case.ts'
import { RefuseDialog } from './refuse-dialog.tsx'
import { useDeciding } from './use-deciding.ts'
import type { WaitingDraft } from './use-drafts.ts'

/** Values of a draft that are shown beside its title. */
const MOST_VALUES = 4

interface CardProps {
  readonly draft: WaitingDraft
  readonly isOpen: boolean
  readonly onOpen: () => void
  readonly onMove: (by: number) => void
  /** Told that it was decided, or that this was taken back. */
  readonly onDecided: (isOver: boolean) => void
}

/** A draft by an agent: what it is, and while it is open what accepting it does. */
export function DraftCard({ draft, isOpen, onOpen, onMove, onDecided }: CardProps): ReactElement {
  const { notice, resource, record } = draft
  const { formats } = useDesk()
  return (
    <article className="draft-card" data-open={isOpen} aria-label={titleOf(resource, record)}>
      <button type="button" className="draft-head" aria-expanded={isOpen} onClick={onOpen}>
        <Icon name={resource.icon ?? 'file'} size={16} />
        <span>
          <strong>{titleOf(resource, record)}</strong>{' '}
          <span className="quiet">
            {sentenceCase(resource.label)} · {record.id}
          </span>
        </span>
        <span className="quiet">
          {notice.actor ? actorText(notice.actor) : null}{' '}
          <time dateTime={notice.at} title={formatMoment(notice.at, formats)}>
            {formatAge(notice.at, formats)}
          </time>
        </span>
      </button>
      {isOpen ? <OpenDraft draft={draft} onMove={onMove} onDecided={onDecided} /> : null}
    </article>
  )
}

function OpenDraft({
  draft,
  onMove,
  onDecided,
}: Pick<CardProps, 'draft' | 'onMove' | 'onDecided'>): ReactElement {
  const { resource, record } = draft
  const { formats } = useDesk()
  const [, navigate] = useLocation()
  const [isRefusing, setRefusing] = useState(false)
  const { isBusy, accept, refuse } = useDeciding(draft, onDecided)
  const { next, why } = stepOf(draft)
  const take = (): void => {
    if (next && !isBusy) void accept(next)
  }
  const edit = (): void => navigate(recordAddress(resource, record))
  useShortcuts({
    a: take,
    e: edit,
    r: () => setRefusing(true),
    j: () => onMove(1),
    k: () => onMove(-1),
    ArrowDown: () => onMove(1),
    ArrowUp: () => onMove(-1),
  })
  const values = resource.list_fields
    .flatMap((name) => resource.fields.find((field) => field.name === name) ?? [])
    .filter(
      (field) =>
        field.name !== resource.title_field &&
        field.name !== statusField(resource)?.name &&
        formatValue(field, record, formats) !== '',
    )
    .slice(0, MOST_VALUES)
  return (
    <div className="draft-body">
      <dl>
        {values.map((field) => (
          <div key={field.name}>
            <dt>{field.label}</dt>
            <dd>{formatValue(field, record, formats)}</dd>
          </div>
        ))}
      </dl>
      {next ? (
        <section aria-label={PAGES.acceptingDoes(next.label)}>
          <h3>{PAGES.acceptingDoes(next.label)}</h3>
          <Consequences resource={resource} record={record} step={next} />
        </section>
      ) : (
        <p className="notice">{why ?? PAGES.nothingToAccept}</p>
      )}
      <div className="draft-actions">
        <Button kind="primary" icon="check" busy={isBusy} disabled={!next} onClick={take}>
          {next ? PAGES.acceptBy(next.label) : PAGES.accept}
        </Button>
        <Button icon="pencil" onClick={edit}>
          {PAGES.editDraft}
        </Button>
        <Button icon="x" onClick={() => setRefusing(true)}>
          {PAGES.refuse}
        </Button>
      </div>
      {isRefusing ? (
        <RefuseDialog
          title={titleOf(resource, record)}
          mayDelete={record._can?.delete === true}
          onClose={() => setRefusing(false)}
          onRefuse={(refusal) => {
            setRefusing(false)
            void refuse(refusal)
          }}
        />
      ) : null}
    </div>
  )
}

/** What accepting a draft does: its very next step; where there is none, why. */
function stepOf({ resource, record }: WaitingDraft): {
  readonly next: NextStep | undefined
  readonly why: string | undefined
} {
  const { next, others } = stepsOf(resource, record)
  return { next, why: others.find(({ verb }) => verb === 'submit')?.why }
}

import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactElement, useState } from 'react'
import { useLocation } from 'wouter'
import { useDesk } from '../boot/desk-context.ts'
import { recordPath } from '../data/client.ts'
import type { RecordData, ResourceInfo } from '../data/types.ts'
import { recordAddress, titleOf } from '../list/row-parts.tsx'
import { type NextStep, stepsOf } from '../record/steps.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { PageSkeleton } from '../ui/skeleton.tsx'
import { useToast } from '../ui/toast.tsx'
import { WORDS } from '../words/en.ts'

interface CardStepProps {
  readonly resource: ResourceInfo
  readonly card: RecordData
}

/** Opens what can be done next with the record of a card: its state follows from documents, so it is moved by making them. */
export function CardStep(props: CardStepProps): ReactElement | null {
  const [isOpen, setOpen] = useState(false)
  if (props.resource.actions.length === 0) return null
  const title = titleOf(props.resource, props.card)
  return (
    <>
      <button
        type="button"
        className="link-button card-step"
        aria-label={WORDS.nextStepOf(`${title} ${props.card.id}`)}
        onClick={() => setOpen(true)}
      >
        {WORDS.nextStep}
      </button>
      {isOpen ? <StepDialog {...props} title={title} onClose={() => setOpen(false)} /> : null}
    </>
  )
}

interface StepDialogProps extends CardStepProps {
  readonly title: string
  readonly onClose: () => void
}

function StepDialog({ resource, card, title, onClose }: StepDialogProps): ReactElement {
  const { client } = useDesk()
  const queries = useQueryClient()
  const tell = useToast()
  const [, navigate] = useLocation()
  const [isBusy, setBusy] = useState(false)
  const { data: record, error } = useQuery({
    queryKey: ['record', resource.slug, card.id, 'steps'],
    queryFn: async () => {
      const path = `${recordPath(resource.slug, card.id)}?_can=1`
      return (await client.ask<RecordData>(path)).body
    },
    staleTime: 0,
  })
  const { next, others } = record ? stepsOf(resource, record) : { next: undefined, others: [] }
  // What asks for something, or posts, is done where its consequences are shown.
  const steps = [...(next?.verb === 'action' ? [next] : []), ...others.filter(isPlain)]
  async function act({ path }: NextStep): Promise<void> {
    setBusy(true)
    try {
      const to = recordPath(resource.slug, card.id, ...path)
      const { body } = await client.ask<{
        _created?: readonly { readonly resource: string; readonly id: string }[]
      }>(to, { method: 'POST' })
      const made = body._created?.[0]
      onClose()
      if (made) navigate(`/${made.resource}/${encodeURIComponent(made.id)}`)
      await queries.invalidateQueries({ queryKey: ['list'] })
    } catch (problem) {
      tell((problem as Error).message, 'problem')
      setBusy(false)
    }
  }
  return (
    <Dialog title={title} onClose={onClose}>
      {error ? <p role="alert">{error.message}</p> : null}
      {record || error ? null : <PageSkeleton />}
      <div className="card-steps">
        {steps.map((step, at) => (
          <Button
            key={step.label}
            kind={at === 0 ? 'primary' : 'plain'}
            busy={isBusy}
            title={step.hint}
            onClick={() => void act(step)}
          >
            {step.label}
          </Button>
        ))}
        <Button onClick={() => navigate(recordAddress(resource, card))}>
          {WORDS.open(card.id)}
        </Button>
      </div>
    </Dialog>
  )
}

/** Whether a step can be taken where it stands: possible, told nothing, and no end of the record. */
function isPlain({ verb, why, input }: NextStep): boolean {
  return verb === 'action' && why === undefined && input === undefined
}

import { lazy, type ReactElement, Suspense, useState } from 'react'
import { useLocation } from 'wouter'
import { useDesk } from '../boot/desk-context.ts'
import { manages } from '../boot/manages.ts'
import type { RecordData, ResourceInfo } from '../data/types.ts'
import { useServing } from '../together/serving.ts'
import { Icon } from '../ui/icon.tsx'
import { Menu, type MenuItem } from '../ui/menu.tsx'
import { WORDS } from '../words/en.ts'
import type { NextStep } from './steps.ts'
import { usePrint } from './use-print.ts'

const SendDialog = lazy(() =>
  import('../together/send-dialog.tsx').then((file) => ({ default: file.SendDialog })),
)
const LinkDialog = lazy(() =>
  import('../together/link-dialog.tsx').then((file) => ({ default: file.LinkDialog })),
)

interface RecordMenuProps {
  readonly resource: ResourceInfo
  readonly record: RecordData
  readonly steps: readonly NextStep[]
  readonly run: (step: NextStep) => void
}

/** Everything else that can be done with a record: what it can be told, its paper, its address. */
export function RecordMenu({ resource, record, steps, run }: RecordMenuProps): ReactElement {
  const [asked, setAsked] = useState<'send' | 'link'>()
  const maySend = useServing('mails')?.can.includes('create') === true
  const { slug, submittable } = resource
  const print = usePrint(slug)
  const { boot } = useDesk()
  const [, navigate] = useLocation()
  const own: readonly MenuItem[] = steps.map((step) => ({
    label: step.input ? `${step.label}…` : step.label,
    why: step.why,
    danger: step.isDanger,
    onSelect: () => run(step),
  }))
  const send: MenuItem = {
    label: `${WORDS.sendMail}…`,
    icon: 'mail',
    onSelect: () => setAsked('send'),
  }
  const paper: readonly MenuItem[] = [
    ...(maySend ? [send] : []),
    { label: `${WORDS.publicLink}…`, icon: 'share-2', onSelect: () => setAsked('link') },
    {
      label: WORDS.print,
      icon: 'printer',
      onSelect: () => print(record.id),
    },
  ]
  const curl: MenuItem = {
    label: WORDS.copyCurl,
    icon: 'copy',
    onSelect: () =>
      void navigator.clipboard.writeText(`curl '${location.origin}/v1/${slug}/${record.id}'`),
  }
  const studio: MenuItem = {
    label: WORDS.changeForm,
    icon: 'wrench',
    onSelect: () => navigate(`/${slug}/studio`),
  }
  const always = [...(submittable ? paper : []), curl, ...(manages(boot) ? [studio] : [])]
  const close = (): void => setAsked(undefined)
  const Asked = asked === 'send' ? SendDialog : asked === 'link' ? LinkDialog : undefined
  return (
    <span data-more>
      <Menu
        label={WORDS.more}
        trigger={<Icon name="ellipsis" />}
        items={own.length > 0 ? [...own, 'line', ...always] : always}
      />
      {Asked ? (
        <Suspense>
          <Asked resource={resource} record={record} onClose={close} />
        </Suspense>
      ) : null}
    </span>
  )
}

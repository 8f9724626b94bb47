import { lazy, type ReactElement, Suspense, useState } from 'react'
import type { RecordData, ResourceInfo } from '../data/types.ts'
import { useServing } from '../together/serving.ts'
import { Button } from '../ui/button.tsx'
import { WORDS } from '../words/en.ts'

const SendDialog = lazy(() =>
  import('../together/send-dialog.tsx').then((file) => ({ default: file.SendDialog })),
)

interface SendProps {
  readonly resource: ResourceInfo
  readonly record: RecordData
}

/** Sends the paper that is looked at, to who may write mails. */
export function SendPaper({ resource, record }: SendProps): ReactElement | null {
  const [isAsked, setAsked] = useState(false)
  if (useServing('mails')?.can.includes('create') !== true) return null
  return (
    <>
      <Button icon="mail" onClick={() => setAsked(true)}>
        {WORDS.sendMail}
      </Button>
      {isAsked ? (
        <Suspense>
          <SendDialog resource={resource} record={record} onClose={() => setAsked(false)} />
        </Suspense>
      ) : null}
    </>
  )
}

import '../style/workings.css'
import { lazy, type ReactElement, Suspense } from 'react'
import type { FieldInfo } from '../data/types.ts'
import { Popover } from '../ui/popover.tsx'
import { WORDS } from '../words/en.ts'
import { inSentence } from '../words/sentence-case.ts'
import { useShownRecord } from './record-context.ts'

const Explanation = lazy(() =>
  import('./explanation.tsx').then((file) => ({ default: file.ExplanationSheet })),
)

interface ExplainedProps {
  readonly field: FieldInfo
  readonly text: string
  /** Where it stands in the record: its field, or `items[0].amount`. */
  readonly place?: string
}

/** A value that says, when it is pressed, why it is what it is; the plain text where nothing is saved. */
export function Explained({ field, text, place = field.name }: ExplainedProps): ReactElement {
  const shown = useShownRecord()
  if (!shown || text === '') return <>{text}</>
  const { resource, record } = shown
  const label = WORDS.why(inSentence(field.label))
  return (
    <Popover label={label} className="explained" trigger={text} tip={label}>
      {() => (
        <Suspense>
          <Explanation resource={resource} record={record} name={place} />
        </Suspense>
      )}
    </Popover>
  )
}

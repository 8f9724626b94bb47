import type { ReactElement } from 'react'
import { useDesk } from '../boot/desk-context.ts'
import { formatValue, isNumber } from '../data/format.ts'
import type { FieldInfo, Row } from '../data/types.ts'
import { PeekLink } from '../peek/peek-link.tsx'
import { WORDS } from '../words/en.ts'
import { sentenceCase } from '../words/sentence-case.ts'
import { Explained } from './explained.tsx'

/** A value that cannot be changed: plain text with its label, links as links. */
export function FieldText({ field, row }: { field: FieldInfo; row: Row }): ReactElement {
  return (
    <div className="text-field">
      <dt>{sentenceCase(field.label)}</dt>
      <dd>
        <ValueText field={field} row={row} />
      </dd>
    </div>
  )
}

/** The value alone; a link shows its record beside the page, a number why it is what it is. */
export function ValueText({
  field,
  row,
  parent,
}: {
  field: FieldInfo
  row: Row
  parent?: Row
}): ReactElement {
  const { formats, entryOf, slugOf } = useDesk()
  const value = row[field.name]
  if (field.type === 'check') return <>{value === true ? WORDS.yes : WORDS.no}</>
  const text = formatValue(field, row, formats, parent)
  const target = field.resource ?? slugOf(row[field.resource_from ?? ''])
  if (isNumber(field) && parent === undefined) return <Explained field={field} text={text} />
  if (target && typeof value === 'string' && value !== '' && entryOf(target))
    return (
      <PeekLink slug={target} id={value}>
        {text}
      </PeekLink>
    )
  if (field.type === 'email') return <a href={`mailto:${text}`}>{text}</a>
  return <>{text === '' ? '–' : text}</>
}

import { type ReactElement, useEffect, useRef } from 'react'
import type { ResourceInfo } from '../data/types.ts'
import { WORDS } from '../words/en.ts'
import { sentenceCase } from '../words/sentence-case.ts'
import type { Problems } from './problems.ts'

/** All that is wrong, in one place above the form; the focus goes to the first field that is. */
export function ProblemSummary({
  problems,
  resource,
}: {
  problems: Problems
  resource: ResourceInfo
}): ReactElement | null {
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (problems.all.length === 0) return
    const first = document.querySelector<HTMLElement>('.record-main [aria-invalid=true]')
    ;(first ?? box.current)?.focus()
  }, [problems])
  if (problems.all.length === 0) return null
  return (
    <div ref={box} className="notice problem" role="alert" tabIndex={-1}>
      <div>
        <strong>{WORDS.problems(problems.all.length)}</strong>
        <ul>
          {problems.all.map(({ field, message }) => (
            <li key={`${field} ${message}`}>
              {labelOf(resource, field)}: {message}
            </li>
          ))}
        </ul>
      </div>
    </div>
  )
}

/** `items[2].qty` → `Items 3, Quantity`. */
function labelOf({ fields }: ResourceInfo, place: string): string {
  const [, name, at, column] = /^(\w+)(?:\[(\d+)\](?:\.(\w+))?)?/.exec(place) ?? []
  const field = fields.find((one) => one.name === name)
  if (!field) return place
  const own = sentenceCase(field.label)
  if (at === undefined) return own
  const child = field.fields?.find((one) => one.name === column)
  return `${own} ${Number(at) + 1}${child ? `, ${sentenceCase(child.label)}` : ''}`
}

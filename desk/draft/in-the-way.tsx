import type { ReactElement } from 'react'
import { useDesk } from '../boot/desk-context.ts'
import type { LinkedRecord } from '../data/client.ts'
import { usePeek } from '../peek/peek-context.ts'
import { useTitles } from '../record/use-titles.ts'
import { Icon } from '../ui/icon.tsx'
import { WORDS } from '../words/en.ts'

/** Records that are shown, at most. */
const MOST = 12

/** Records that link to one and stand in the way of what was tried with it; each opens beside the page. */
export function InTheWay({ linked }: { linked: readonly LinkedRecord[] }): ReactElement | null {
  const { entryOf } = useDesk()
  const { peek } = usePeek()
  const shown = linked.filter(({ resource }) => entryOf(resource)).slice(0, MOST)
  const titles = useTitles(shown.map(({ resource, id }) => ({ slug: resource, id })))
  if (linked.length === 0) return null
  return (
    <section className="notice problem" role="alert" aria-label={WORDS.inTheWay}>
      <Icon name="link" />
      <div>
        <strong>{WORDS.inTheWay}</strong>
        <ul>
          {shown.map(({ resource, id }) => (
            <li key={`${resource}/${id}`}>
              {entryOf(resource)?.label}{' '}
              <a
                href={`/${resource}/${encodeURIComponent(id)}`}
                data-beside
                onClick={(event) => {
                  event.preventDefault()
                  peek({ slug: resource, id })
                }}
              >
                {titles.get(`${resource}/${id}`) ?? id}
              </a>
            </li>
          ))}
        </ul>
        {linked.length > shown.length ? (
          <p>{WORDS.moreOfDay(linked.length - shown.length)}</p>
        ) : null}
      </div>
    </section>
  )
}

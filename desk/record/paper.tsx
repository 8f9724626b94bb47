import { useQuery } from '@tanstack/react-query'
import { type ReactElement, useEffect, useRef } from 'react'
import type { RecordData, ResourceInfo } from '../data/types.ts'
import { Button } from '../ui/button.tsx'
import { PageSkeleton } from '../ui/skeleton.tsx'
import { WORDS } from '../words/en.ts'

/** A record on its own paper: the very sheet that is printed and sent, drawn apart from the styles of the Desk. */
export function Paper({
  resource,
  record,
}: {
  resource: ResourceInfo
  record: RecordData
}): ReactElement {
  const box = useRef<HTMLDivElement>(null)
  const address = `/print/${resource.slug}/${encodeURIComponent(record.id)}`
  const { data, error } = useQuery({
    queryKey: ['paper', resource.slug, record.id, record.modified],
    queryFn: async ({ signal }) => {
      const response = await fetch(address, { headers: { Accept: 'text/html' }, signal })
      if (!response.ok) throw new Error(`${response.status} ${response.statusText}`)
      return response.text()
    },
  })
  useEffect(() => {
    if (data !== undefined && box.current) draw(box.current, data)
  }, [data])
  if (error) return <p role="alert">{error.message}</p>
  return (
    <section className="paper" aria-label={WORDS.paper}>
      {data === undefined ? <PageSkeleton /> : null}
      <div ref={box} />
      <div className="paper-actions">
        <Button icon="printer" onClick={() => void open(address, '_blank', 'noopener')}>
          {WORDS.print}
        </Button>
      </div>
    </section>
  )
}

/** Draws a page of the server into a tree of its own; it has no scripts, and none would run. */
function draw(box: HTMLElement, html: string): void {
  const page = new DOMParser().parseFromString(html, 'text/html')
  const root = box.shadowRoot ?? box.attachShadow({ mode: 'open' })
  const style = document.createElement('style')
  const css = [...page.querySelectorAll('style')].map((one) => one.textContent ?? '').join('\n')
  // What is said of the page holds for the sheet.
  style.textContent = css.replace(/:root/g, ':host').replace(/(^|[\n}])body\b/g, '$1.body')
  const body = document.createElement('div')
  body.className = `body ${page.body.className}`
  body.lang = page.documentElement.lang
  body.style.background = 'none'
  for (const one of page.querySelectorAll('script, .choices')) one.remove()
  body.append(...page.body.childNodes)
  root.replaceChildren(style, body)
}

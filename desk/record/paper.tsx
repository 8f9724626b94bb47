import { useQuery } from '@tanstack/react-query'
import { type ReactElement, type ReactNode, useEffect, useRef, useState } from 'react'
import { isNumber } from '../data/format.ts'
import type { RecordData, ResourceInfo, Row } from '../data/types.ts'
import { sentValues } from '../draft/draft.ts'
import { ProblemSummary } from '../draft/problem-summary.tsx'
import type { Writes } from '../draft/use-writes.ts'
import { CellEditor } from '../grid/cell-editor.tsx'
import { changedRows } from '../grid/row-changes.ts'
import type { EndedEdit } from '../grid/use-grid.ts'
import { Button } from '../ui/button.tsx'
import { PageSkeleton } from '../ui/skeleton.tsx'
import { WORDS } from '../words/en.ts'
import { type PaperPlace, placeOf } from './paper-places.ts'
import { usePrint } from './use-print.ts'

interface PaperProps {
  readonly resource: ResourceInfo
  readonly record: RecordData
  /** Writes of a record that may be changed; undefined for one that is only read. */
  readonly writes: Writes | undefined
  /** What else can be done with the sheet. */
  readonly children?: ReactNode
}

/** A place of the sheet that is edited, and where it stands on the page, in pixels. */
interface Edited extends PaperPlace {
  readonly box: { readonly left: number; readonly top: number; width: number; height: number }
}

/**
 * A record on its own paper: the very sheet that is printed and sent, drawn apart from the styles of the Desk. What may be changed
 * is changed where it stands: a press on it edits it, each change is saved by itself and the sheet drawn anew.
 */
export function Paper({ resource, record, writes, children }: PaperProps): ReactElement {
  const section = useRef<HTMLElement>(null)
  const box = useRef<HTMLDivElement>(null)
  const [edited, setEdited] = useState<Edited>()
  const print = usePrint(resource.slug)
  const address = `/print/${resource.slug}/${encodeURIComponent(record.id)}`
  const { data, error } = useQuery({
    queryKey: ['paper', resource.slug, record.id, record.modified],
    queryFn: async ({ signal }) => {
      const response = await fetch(address, { headers: { Accept: 'text/html' }, signal })
      if (!response.ok) throw new Error(`${response.status} ${response.statusText}`)
      return response.text()
    },
    placeholderData: (before) => before,
  })
  const canEdit = writes !== undefined
  useEffect(() => {
    if (data === undefined || !box.current) return
    draw(box.current, data)
    if (!canEdit || !box.current.shadowRoot) return
    return offerEdits(box.current.shadowRoot, (element) => {
      const place = placeOf(element, resource, record)
      const frame = section.current?.getBoundingClientRect()
      if (!place || !frame) return undefined
      return () => {
        const { left, top, width, height } = element.getBoundingClientRect()
        setEdited({
          ...place,
          box: { left: left - frame.left, top: top - frame.top, width, height },
        })
      }
    })
  }, [data, canEdit, resource, record])

  function done({ taken }: EndedEdit): void {
    const place = edited
    setEdited(undefined)
    if (place && taken) void writes?.patch(changeOf(place, taken, resource, record))
  }

  if (error) return <p role="alert">{error.message}</p>
  return (
    <section ref={section} className="paper" aria-label={WORDS.paper}>
      {writes ? <ProblemSummary problems={writes.problems} resource={resource} /> : null}
      {data === undefined ? <PageSkeleton /> : null}
      <div ref={box} data-busy={writes?.isBusy} />
      {edited ? (
        <div className="paper-editor" style={placed(edited)}>
          <CellEditor
            field={edited.field}
            row={edited.row}
            typed={undefined}
            onDone={done}
            onLeave={() => setEdited(undefined)}
          />
        </div>
      ) : null}
      <div className="paper-actions">
        {canEdit ? <span className="quiet">{WORDS.editOnPaper}</span> : null}
        {children}
        <Button icon="printer" onClick={() => print(record.id)}>
          {WORDS.print}
        </Button>
      </div>
    </section>
  )
}

/** Least width and height of an editor, in pixels; a number needs less, and ends where it did. */
const LEAST = { width: 150, number: 84, height: 30 } as const

function placed({ field, box: { left, top, width, height } }: Edited) {
  const wide = Math.max(width + 12, isNumber(field) ? LEAST.number : LEAST.width)
  const tall = Math.max(height, LEAST.height)
  return {
    left: isNumber(field) ? left + width + 10 - wide : left - 10,
    top: top + (height - tall) / 2,
    width: wide,
    height: tall,
  }
}

/** What is sent of a change: the field, or the table with its other rows as they are. */
function changeOf(
  { field, table, index = 0 }: PaperPlace,
  { value, title }: NonNullable<EndedEdit['taken']>,
  { fields }: ResourceInfo,
  record: RecordData,
): Readonly<Record<string, unknown>> {
  if (table === undefined) return { [field.name]: value }
  const rows = (record[table] ?? []) as readonly Row[]
  const next = changedRows(rows, { row: index, column: 0 }, { [field.name]: value }, title)
  return sentValues({ [table]: next }, [table], fields)
}

/** Makes what may be changed a button; `editOf` says what pressing it does. Answers what takes this back. */
function offerEdits(
  root: ShadowRoot,
  editOf: (element: HTMLElement) => (() => void) | undefined,
): () => void {
  const over = new AbortController()
  for (const element of root.querySelectorAll<HTMLElement>('[data-field]')) {
    const edit = editOf(element)
    if (!edit) continue
    const button = document.createElement('button')
    button.type = 'button'
    button.className = 'edit'
    button.append(...element.childNodes)
    element.append(button)
    button.addEventListener('click', edit, { signal: over.signal })
  }
  return () => over.abort()
}

/** How the places look that may be changed: as before, until somebody points at one. */
const EDITS = `
.edit { all: unset; box-sizing: border-box; display: inline-block; min-width: 24px; min-height: 24px; margin: -3px -5px; padding: 3px 5px; border-radius: 5px; cursor: text; }
.edit:hover { background: rgb(66 99 235 / 12%); }
.edit:focus-visible { outline: 2px solid #4263eb; }
`

/** Draws a page of the server into a tree of its own; it has no scripts, and none would run. */
function draw(box: HTMLElement, html: string): void {
  const page = new DOMParser().parseFromString(html, 'text/html')
  const root = box.shadowRoot ?? box.attachShadow({ mode: 'open' })
  const style = document.createElement('style')
  const css = [...page.querySelectorAll('style')].map((one) => one.textContent ?? '').join('\n')
  // What is said of the page holds for the sheet.
  style.textContent = css.replace(/:root/g, ':host').replace(/(^|[\n}])body\b/g, '$1.body') + EDITS
  const body = document.createElement('div')
  body.className = `body ${page.body.className}`
  body.lang = page.documentElement.lang
  body.style.background = 'none'
  for (const one of page.querySelectorAll('script, .choices')) one.remove()
  body.append(...page.body.childNodes)
  root.replaceChildren(style, body)
}

import '../style/developer.css'
import '../style/people.css'
import '../style/studio.css'
import { type ReactElement, useEffect, useState } from 'react'
import { useLocation } from 'wouter'
import { useDesk } from '../boot/desk-context.ts'
import { useSystem } from '../developer/use-system.ts'
import { NotFound } from '../shell/not-found.tsx'
import { Button } from '../ui/button.tsx'
import { PageSkeleton } from '../ui/skeleton.tsx'
import { PAGES } from '../words/pages/en.ts'
import { Review } from './review.tsx'
import { StudioEditor } from './studio-editor.tsx'
import type { OpenedDefinition, StudioInfo, Words } from './studio-types.ts'
import { useSaving } from './use-saving.ts'

/** `/{slug}/studio`: a resource changed where it stands. */
export function StudioPage({ slug }: { slug: string }): ReactElement {
  const info = useSystem<StudioInfo>('/v1/studio')
  const opened = useSystem<OpenedDefinition>(`/v1/studio/${encodeURIComponent(slug)}`)
  const error = info.error ?? opened.error
  if (error) return <NotFound message={error.message} />
  if (!info.data || !opened.data) return <PageSkeleton />
  return <Opened key={opened.data.hash} info={info.data} opened={opened.data} />
}

interface OpenedProps {
  readonly info: StudioInfo
  readonly opened: OpenedDefinition
}

function Opened({ info, opened }: OpenedProps): ReactElement {
  const { boot } = useDesk()
  const [, navigate] = useLocation()
  const { doctype, kind, file, hash, base, rights } = opened
  const [definition, setDefinition] = useState<Words>(opened.definition)
  const isChanged = JSON.stringify(definition) !== JSON.stringify(opened.definition)
  const { isBusy, trial, forget, review, save } = useSaving(({ slug }) => {
    if (slug === null) navigate('/')
    else if (slug !== opened.slug) navigate(`/${slug}/studio`)
  })
  const wish = { doctype, definition }
  useEffect(() => {
    document.title = `${PAGES.studioOf(doctype)} · ${boot.workspace.label}`
  }, [doctype, boot])
  useLeaveGuard(isChanged)
  return (
    <div className="studio">
      <header className="page-head">
        <div>
          <h1>{PAGES.studioOf(doctype)}</h1>
          <p className="quiet">
            {kind === 'overlay' ? PAGES.studioOverlay : PAGES.studioOwn} <code>{file}</code>
          </p>
        </div>
        <div className="page-actions">
          {isChanged ? (
            <Button onClick={() => setDefinition(opened.definition)}>{PAGES.studioReset}</Button>
          ) : null}
          <Button onClick={() => navigate(`/${opened.slug}`)}>{PAGES.studioLeave}</Button>
          <Button
            kind="primary"
            busy={isBusy}
            disabled={!isChanged || info.writable !== true}
            onClick={() => void review(wish)}
          >
            {PAGES.studioLook}
          </Button>
        </div>
      </header>
      {info.writable === true ? null : (
        <p className="studio-warning" role="status">
          {info.writable}
        </p>
      )}
      <StudioEditor
        info={info}
        definition={definition}
        base={base ?? undefined}
        rights={rights}
        onChange={setDefinition}
      />
      {trial ? (
        <Review
          trial={trial}
          isBusy={isBusy}
          onClose={forget}
          onSave={(accept) => void save(wish, hash, accept)}
        />
      ) : null}
    </div>
  )
}

/** Asks before a page with changes is left by the browser. */
export function useLeaveGuard(isChanged: boolean): void {
  useEffect(() => {
    if (!isChanged) return
    const ask = (event: BeforeUnloadEvent): void => event.preventDefault()
    addEventListener('beforeunload', ask)
    return () => removeEventListener('beforeunload', ask)
  }, [isChanged])
}

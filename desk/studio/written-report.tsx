import '../style/report.css'
import '../style/studio.css'
import { type ReactElement, useEffect, useState } from 'react'
import { Link } from 'wouter'
import { useDesk } from '../boot/desk-context.ts'
import { useSystem } from '../developer/use-system.ts'
import { TriedReport } from '../report/tried-report.tsx'
import { useTrial } from '../report/use-builder.ts'
import { useMaking } from '../report/use-making.ts'
import { NotFound } from '../shell/not-found.tsx'
import { Button } from '../ui/button.tsx'
import { PageSkeleton } from '../ui/skeleton.tsx'
import { WORDS } from '../words/en.ts'
import { PAGES } from '../words/pages/en.ts'
import { withoutNothing } from './grammar.ts'
import { useLeaveGuard } from './studio-page.tsx'
import type { StudioInfo, Words } from './studio-types.ts'
import { WordsEditor } from './value-editor.tsx'

/** Words that a report has nearly always. */
const USUAL = ['report', 'module', 'description', 'from', 'where', 'columns', 'order', 'totals']

/** `/studio/report`: a report of one's own in all the words that reports have, counted as it is written. */
export function WrittenReportPage(): ReactElement {
  const info = useSystem<StudioInfo>('/v1/studio')
  if (info.error) return <NotFound message={info.error.message} />
  if (!info.data) return <PageSkeleton />
  return <WrittenReport info={info.data} />
}

function WrittenReport({ info }: { readonly info: StudioInfo }): ReactElement {
  const { boot } = useDesk()
  const [words, setWords] = useState<Words>({ module: info.modules[0]?.name ?? '' })
  const definition = (withoutNothing(words) ?? {}) as Words
  const isBegun = definition.report !== undefined && definition.columns !== undefined
  // It is tried as it was when somebody asked for it: half of a report says nothing.
  const [looked, setLooked] = useState<{ readonly definition: Words }>()
  const trial = useTrial(looked)
  const { isSaving, problem, save } = useMaking(looked)
  const isLooked = JSON.stringify(looked?.definition) === JSON.stringify(definition)
  const label = String(definition.report ?? '')
  useEffect(() => {
    document.title = `${PAGES.writeReport} · ${boot.workspace.label}`
  }, [boot])
  useLeaveGuard(isBegun && !isSaving)
  return (
    <div className="studio report-page">
      <nav className="crumbs" aria-label={WORDS.goTo}>
        <Link href="/r">{PAGES.reports}</Link>
      </nav>
      <header className="page-head">
        <div>
          <h1>{PAGES.writeReport}</h1>
          <p className="quiet">{PAGES.writeReportAbout}</p>
        </div>
        <div className="page-actions">
          <Button disabled={!isBegun} onClick={() => setLooked({ definition })}>
            {PAGES.lookAtReport}
          </Button>
          <Button
            kind="primary"
            busy={isSaving}
            disabled={!isLooked || !trial.isSuccess || info.writable !== true}
            onClick={save}
          >
            {WORDS.save}
          </Button>
        </div>
      </header>
      {info.writable === true ? null : <p className="studio-warning">{info.writable}</p>}
      <div className="studio-part">
        <WordsEditor
          label={PAGES.writeReport}
          node={info.report_schema}
          whole={info.report_schema}
          words={words}
          onChange={setWords}
          always={USUAL}
        />
      </div>
      <TriedReport
        tried={trial.data}
        label={label}
        said={problem ?? trial.error?.message}
        isBusy={trial.isFetching}
      />
    </div>
  )
}

import type { ReactElement } from 'react'
import { useDesk } from '../boot/desk-context.ts'
import { usePinnedReports } from '../home/pins.ts'
import { Button } from '../ui/button.tsx'
import { Icon } from '../ui/icon.tsx'
import { Menu } from '../ui/menu.tsx'
import { useToast } from '../ui/toast.tsx'
import { WORDS } from '../words/en.ts'
import { PAGES } from '../words/pages/en.ts'
import type { ReportAnswer, ReportInfo } from './report-types.ts'
import type { ReportState } from './use-parameters.ts'

interface HeadProps {
  readonly info: ReportInfo
  readonly state: ReportState
  readonly answer: ReportAnswer | undefined
}

/** Title of a report, and what can be done with it as it stands. */
export function ReportHead({ info, state, answer }: HeadProps): ReactElement {
  const { formats } = useDesk()
  const tell = useToast()
  const pins = usePinnedReports()
  const pinned = pins.find(info.slug, state.query)
  const save = useCsv(info, state)
  const copy = async (): Promise<void> => {
    const address = `${location.origin}/v1/reports/${info.slug}?${state.query}`
    await navigator.clipboard.writeText(`curl '${address}' -H "Authorization: Bearer $KEY"`)
    tell(WORDS.saved)
  }
  return (
    <div className="page-head">
      <h1>{info.label}</h1>
      <span className="count" role="status" aria-live="polite">
        {answer?.report === info.slug ? answer.meta.total.toLocaleString(formats.locale) : ''}
        <span className="visually-hidden"> {WORDS.results('')}</span>
      </span>
      <p className="report-about quiet">{info.description}</p>
      <div className="page-actions no-print">
        <Button
          icon="pin"
          onClick={() => {
            if (pinned) pins.remove(pinned)
            else
              pins.add({
                report: info.slug,
                query: state.query,
                title: info.label,
                ...(state.chart === '' ? {} : { chart: state.chart }),
              })
            tell(pinned ? PAGES.unpinned : PAGES.pinned)
          }}
        >
          {pinned ? PAGES.unpin : PAGES.pin}
        </Button>
        <Button icon="printer" onClick={() => window.print()}>
          {PAGES.print}
        </Button>
        <Menu
          label={WORDS.more}
          trigger={<Icon name="ellipsis" />}
          items={[
            { label: PAGES.saveCsv, icon: 'download', onSelect: () => void save() },
            { label: WORDS.copyCurl, icon: 'copy', onSelect: () => void copy() },
            {
              label: PAGES.aboutReport,
              icon: 'book-open',
              href: `/docs/reports/${info.slug}`,
            },
          ]}
        />
      </div>
    </div>
  )
}

/** Saves what the report answers as a file that a spreadsheet opens: all rows, with the totals below. */
function useCsv({ slug }: ReportInfo, { given }: ReportState): () => Promise<void> {
  const tell = useToast()
  return async () => {
    const asked = new URLSearchParams([...given].filter(([name]) => name !== 'limit'))
    const response = await fetch(`/v1/reports/${slug}?${asked}`, {
      headers: { Accept: 'text/csv' },
    })
    const text = await response.text()
    if (!response.ok) return tell(messageIn(text), 'problem')
    const link = document.createElement('a')
    link.href = URL.createObjectURL(new Blob([`\ufeff${text}`], { type: 'text/csv;charset=utf-8' }))
    link.download = `${slug}.csv`
    document.body.append(link)
    link.click()
    link.remove()
    setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
    tell(PAGES.csvSaved)
  }
}

function messageIn(text: string): string {
  try {
    return String(JSON.parse(text).error.message)
  } catch (_noJson) {
    return text.slice(0, 200)
  }
}

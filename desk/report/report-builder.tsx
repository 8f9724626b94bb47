import '../style/report.css'
import { type ReactElement, useEffect, useState } from 'react'
import { Link, useSearch } from 'wouter'
import { useDesk } from '../boot/desk-context.ts'
import { useResource } from '../data/queries.ts'
import type { FieldInfo, ResourceInfo } from '../data/types.ts'
import { filterWords } from '../list/filter-words.ts'
import { readListAddress } from '../list/list-address.ts'
import { groupableFields } from '../list/list-groups.ts'
import { NotFound } from '../shell/not-found.tsx'
import { Button } from '../ui/button.tsx'
import { ChoiceField, TextField } from '../ui/fields.tsx'
import { PageSkeleton } from '../ui/skeleton.tsx'
import { WORDS } from '../words/en.ts'
import { PAGES } from '../words/pages/en.ts'
import { sentenceCase } from '../words/sentence-case.ts'
import { TriedReport } from './tried-report.tsx'
import {
  type Built,
  beginning,
  bodyOf,
  dayFields,
  nameOf,
  summableFields,
  useTrial,
} from './use-builder.ts'
import { useMaking } from './use-making.ts'

/** `/r/new?resource=…`: makes a report of a list, and shows at each step what it says and the file that it is. */
export function ReportBuilder(): ReactElement {
  const { boot } = useDesk()
  const search = new URLSearchParams(useSearch())
  const slug = search.get('resource') ?? ''
  const { data: resource, error } = useResource(slug, slug !== '')
  useEffect(() => {
    document.title = `${PAGES.makeReport} · ${boot.workspace.label}`
  }, [boot])
  if (slug === '' || error) return <NotFound message={error?.message ?? PAGES.reportFromList} />
  if (!resource) return <PageSkeleton />
  return (
    <Builder
      key={resource.slug}
      resource={resource}
      filter={search.get('query') ?? ''}
      group={search.get('group') ?? ''}
    />
  )
}

interface BuilderProps {
  readonly resource: ResourceInfo
  /** Filters of the list, as in its address. */
  readonly filter: string
  readonly group: string
}

function Builder({ resource, filter, group }: BuilderProps): ReactElement {
  const [built, setBuilt] = useState(() => beginning(resource, group))
  const body = built.by === '' ? undefined : bodyOf(resource, filter, built)
  const trial = useTrial(body)
  const { isSaving, problem, save } = useMaking(body)
  const change = (part: Partial<Built>): void => setBuilt({ ...built, ...part })
  const said = problem ?? trial.error?.message
  return (
    <div className="report-page">
      <nav className="crumbs" aria-label={WORDS.goTo}>
        <Link href="/r">{PAGES.reports}</Link>
      </nav>
      <div className="page-head">
        <h1>{PAGES.makeReport}</h1>
        <p className="report-about quiet">{PAGES.makeReportAbout}</p>
        <div className="page-actions">
          <Button kind="primary" busy={isSaving} disabled={trial.error !== null} onClick={save}>
            {WORDS.save}
          </Button>
        </div>
      </div>
      <div className="report-builder">
        <BuilderForm resource={resource} filter={filter} built={built} change={change} />
        <TriedReport
          tried={trial.data}
          label={built.label}
          said={said}
          isBusy={trial.isFetching || !trial.data}
        />
      </div>
    </div>
  )
}

interface FormProps extends Omit<BuilderProps, 'group'> {
  readonly built: Built
  readonly change: (part: Partial<Built>) => void
}

function BuilderForm({ resource, filter, built, change }: FormProps): ReactElement {
  const { by, thenBy, sums, days, chart } = built
  const toggle = (name: string, is: boolean): void =>
    change({ sums: is ? [...sums, name] : sums.filter((one) => one !== name) })
  return (
    <form
      className="builder-form"
      aria-label={PAGES.makeReport}
      onSubmit={(event) => event.preventDefault()}
    >
      <TextField
        label={PAGES.reportName}
        value={built.label}
        required
        onChange={(label) => change({ label })}
      />
      <OfList resource={resource} filter={filter} />
      <ChoiceField
        label={PAGES.groupsBy}
        value={by}
        choices={choices(groupableFields(resource))}
        onChange={(value) => {
          const isOwn = built.label !== nameOf(resource, by)
          change({ by: value, ...(isOwn ? {} : { label: nameOf(resource, value) }) })
        }}
      />
      <ChoiceField
        label={PAGES.thenBy}
        value={thenBy}
        choices={choices(groupableFields(resource).filter(({ name }) => name !== by))}
        onChange={(value) => change({ thenBy: value })}
      />
      <fieldset className="checks tall">
        <legend>{PAGES.addedUp}</legend>
        {summableFields(resource).map(({ name, label }) => (
          <label key={name}>
            <input
              type="checkbox"
              checked={sums.includes(name)}
              onChange={(event) => toggle(name, event.currentTarget.checked)}
            />
            {sentenceCase(label)}
          </label>
        ))}
      </fieldset>
      <ChoiceField
        label={PAGES.spanOf}
        value={days}
        choices={choices(dayFields(resource))}
        onChange={(value) => change({ days: value })}
      />
      <ChoiceField
        label={PAGES.drawnAs}
        value={chart}
        choices={[
          { value: 'bar', label: PAGES.chartKinds.bar },
          { value: 'line', label: PAGES.chartKinds.line },
          { value: 'pie', label: PAGES.chartKinds.donut },
        ]}
        onChange={(value) => change({ chart: value })}
      />
    </form>
  )
}

/** Of which list it is, and what narrows that. */
function OfList({ resource, filter }: Pick<BuilderProps, 'resource' | 'filter'>): ReactElement {
  const { formats } = useDesk()
  const { filters } = readListAddress(filter)
  const told = filters.map((one) => filterWords(resource, one, formats))
  return (
    <div>
      <Link href={`/${resource.slug}${filter === '' ? '' : `?${filter}`}`}>
        {sentenceCase(resource.label_plural)}
      </Link>
      {told.map((one) => (
        <p key={one} className="quiet">
          {one}
        </p>
      ))}
    </div>
  )
}

function choices(fields: readonly FieldInfo[]) {
  return fields.map(({ name, label }) => ({ value: name, label: sentenceCase(label) }))
}

import '../style/home.css'
import type { ReactElement } from 'react'
import { useDesk } from '../boot/desk-context.ts'
import { PAGES } from '../words/pages/en.ts'
import { NumberCards } from './number-cards.tsx'
import { useOpenParts } from './open-parts.ts'
import { usePinnedReports } from './pins.ts'
import { SetupRing } from './setup-ring.tsx'
import { Shortcuts } from './shortcuts.tsx'
import { WorkspaceCharts } from './workspace-charts.tsx'
import type { Workspace, WorkspaceCard } from './workspace-types.ts'
import { HOME, WorkspaceWays } from './workspace-ways.tsx'

const MOST_CARDS = 8
const MOST_ASKED = 16
const MOST_CHARTS = 2
const LEAST_WAYS = 8

/** What a card is of: two workspaces may show the same records, one of them with a sum. */
function subjectOf({ resource, report, filter, value }: WorkspaceCard): string {
  return [resource ?? report, filter, value].join(' ')
}

/** What the start shows of a person's work: what a new workspace still needs, their numbers, what they pinned, charts and ways. */
export function HomeBody(): ReactElement {
  const { boot } = useDesk()
  const pins = usePinnedReports()
  const open = useOpenParts()
  const all = boot.workspaces ?? []
  const own = all.find(({ name }) => name === HOME)
  const others = all.filter(({ name }) => name !== HOME)
  const cards = inTurns(own, others, ({ cards: list }) => open(list), MOST_ASKED, subjectOf)
  const charts = inTurns(
    own,
    others,
    ({ charts: list }) => open(list),
    MOST_CHARTS,
    (chart) => [chart.report, chart.resource, chart.by].join(' '),
  )
  // Who has few ways of everybody's has those of their own work too.
  const shortcuts = inTurns(
    own,
    others,
    ({ shortcuts: list }) => list,
    Math.max(LEAST_WAYS, own?.shortcuts.length ?? 0),
    ({ resource, report, filter }) => [resource ?? report, filter].join(' '),
  )
  const pinned = pins.all.map(({ report, query, title, chart }) => ({
    label: title,
    report,
    query,
    ...(chart === undefined ? {} : { kind: chart }),
  }))
  return (
    <>
      <WorkspaceWays here={HOME} />
      {own ? <SetupRing workspace={own} /> : null}
      <NumberCards cards={cards} withoutEmpty most={MOST_CARDS} />
      {pinned.length > 0 ? (
        <section aria-labelledby="pinned">
          <h2 id="pinned">{PAGES.pinnedByYou}</h2>
          <WorkspaceCharts
            charts={pinned}
            onRemove={(at) => {
              const pin = pins.all[at]
              if (pin) pins.remove(pin)
            }}
          />
        </section>
      ) : null}
      <WorkspaceCharts charts={charts} />
      {shortcuts.length > 0 ? (
        <section aria-labelledby="ways">
          <h2 id="ways">{PAGES.goTo}</h2>
          <Shortcuts all={shortcuts} />
        </section>
      ) : null}
    </>
  )
}

/** What the start has of workspaces: all of its own, then one of each other in turn. */
function inTurns<T>(
  own: Workspace | undefined,
  others: readonly Workspace[],
  partsOf: (workspace: Workspace) => readonly T[],
  most: number,
  keyOfPart: (part: T) => string,
): readonly T[] {
  const lists = others.map(partsOf)
  const longest = Math.max(0, ...lists.map(({ length }) => length))
  const turns = Array.from({ length: longest }, (_, at) => lists.flatMap((list) => list[at] ?? []))
  const all = [...(own ? partsOf(own) : []), ...turns.flat()]
  return [...new Map(all.map((part) => [keyOfPart(part), part])).values()].slice(0, most)
}

import type { Boot, ResourceEntry, WorkspaceEntry } from '../data/types.ts'
import type { WorkPage } from '../home/workspace-types.ts'
import { sentenceCase } from '../words/sentence-case.ts'

/** A workspace as the menu shows it: its ways to lists. */
export interface MenuGroup {
  readonly name: string
  readonly label: string
  readonly icon: string
  readonly entries: readonly ResourceEntry[]
  /** Its pages of work. */
  readonly pages?: readonly WorkPage[]
}

/** What the menu shows: workspaces with records, those without any yet, and what somebody new begins with. */
export interface MenuPlan {
  readonly groups: readonly MenuGroup[]
  readonly unused: readonly MenuGroup[]
  readonly start: readonly ResourceEntry[]
}

/** The workspace that says what somebody begins with, until others have records. */
const START = 'home'

/** Workspaces with records at most, while what one begins with is shown. */
const FEW = 2

/** The menu of a workspace; at `here`, the slug of the list or record that is open, its workspace is there in any case. */
export function menuPlan({ workspaces = [], resources }: Boot, here: string): MenuPlan {
  const bySlug = new Map(resources.map((entry) => [entry.slug, entry]))
  const planned = (one: WorkspaceEntry): MenuGroup => ({
    name: one.name,
    label: one.label,
    icon: one.icon ?? 'layout-grid',
    entries: entriesOf(one, bySlug, here),
    ...(one.pages ? { pages: one.pages } : {}),
  })
  const daily = workspaces.filter(({ name }) => name !== START)
  const isShown = ({ used, shortcuts, pages = [] }: WorkspaceEntry): boolean =>
    used ||
    shortcuts.some(({ resource }) => resource === here) ||
    pages.some(({ page }) => page === here)
  const groups = daily.filter(isShown).map(planned)
  const start = workspaces.find(({ name }) => name === START)
  return {
    groups,
    unused: daily.filter((one) => !isShown(one)).map(planned),
    start:
      start && daily.filter(({ used }) => used).length <= FEW ? entriesOf(start, bySlug, here) : [],
  }
}

/** The lists of a workspace; what is open and belongs to one of its modules alone is there too. */
function entriesOf(
  { shortcuts, modules }: WorkspaceEntry,
  bySlug: ReadonlyMap<string, ResourceEntry>,
  here: string,
): readonly ResourceEntry[] {
  const listed = shortcuts.flatMap(({ resource = '', filter, label }) => {
    const entry = filter === undefined ? bySlug.get(resource) : undefined
    return entry ? { ...entry, label_plural: sentenceCase(label) } : []
  })
  const open = bySlug.get(here)
  const isOwn =
    open !== undefined && modules.includes(open.module) && !listed.some(({ slug }) => slug === here)
  return isOwn ? [...listed, open] : listed
}

/** All records in the order of the modules, those alone whose name has the text that is looked for. */
export function recordGroups({ modules, resources }: Boot, sought: string): readonly MenuGroup[] {
  const text = sought.trim().toLowerCase()
  const byLabel = new Map<string, MenuGroup & { readonly entries: ResourceEntry[] }>()
  for (const { name, label } of modules) {
    const group = byLabel.get(label) ?? { name, label, icon: 'layout-grid', entries: [] }
    byLabel.set(label, group)
    group.entries.push(
      ...resources.filter(
        (one) => one.module === name && one.label_plural.toLowerCase().includes(text),
      ),
    )
  }
  return [...byLabel.values()].filter(({ entries }) => entries.length > 0)
}

import { isManager } from '../../access/actor.ts'
import { canSee, holdsRole } from '../../access/can.ts'
import { knownTo } from '../../access/known-to.ts'
import type { DocTypeDefinition } from '../../definition/model/definition.ts'
import { knownFields } from '../../documents/lists/filter-text.ts'
import type { Context } from '../../documents/work/context.ts'
import type { Reports } from '../compile/load.ts'
import { maySee } from '../run/access.ts'
import { PAGE_KINDS } from './page-kinds.ts'
import type { ChartOf, Page, Workspace } from './workspace.ts'

/**
 * The workspaces as a caller sees them: those of their roles, or all where no workspace names one of theirs, without what they may
 * not read; one that has nothing left is not there.
 */
export function seenWorkspaces(
  context: Context,
  reports: Reports,
  workspaces: readonly Workspace[],
): readonly Workspace[] {
  const { registry } = context.services
  const seesResource = (slug: string, action: 'read' | 'create' = 'read'): boolean => {
    const definition = registry.bySlug(slug)
    return definition !== undefined && canSee(context, definition, action)
  }
  const seesReport = (slug: string): boolean => {
    const report = reports.bySlug(slug)
    return report !== undefined && maySee(context, report)
  }
  const sees = (part: Part): boolean =>
    part.resource === undefined
      ? seesReport(part.report!)
      : seesResource(part.resource) && readsFields(context, registry.bySlug(part.resource)!, part)
  // A page stays without a part that it can be drawn without, and is for who may make what it makes.
  const seenPage = (page: Page): readonly Page[] => {
    const kind = PAGE_KINDS[page.page] ?? {}
    const parts = Object.entries(page.parts).filter(
      ([part, { resource }]) =>
        seesResource(resource) && (!kind[part]?.makes || seesResource(resource, 'create')),
    )
    const isWhole = Object.keys(kind).every(
      (name) => kind[name]?.isOptional === true || parts.some(([part]) => part === name),
    )
    return isWhole ? [{ ...page, parts: Object.fromEntries(parts) }] : []
  }
  const isTheirs = ({ roles }: Workspace): boolean =>
    roles !== undefined && holdsRole(context.actor, roles)
  const isAsked = !isManager(context.actor) && workspaces.some(isTheirs)
  return workspaces
    .filter((one) => !isAsked || one.roles === undefined || isTheirs(one))
    .map((one) => ({
      ...one,
      cards: one.cards.filter(sees),
      shortcuts: one.shortcuts.filter(sees),
      charts: one.charts.filter(sees),
      steps: one.steps.filter((step) => sees(step) && (!step.on || seesResource(step.on))),
      pages: one.pages.flatMap(seenPage),
    }))
    .filter(
      (one) => one.cards.length + one.shortcuts.length + one.charts.length + one.pages.length > 0,
    )
}

type Part = Partial<Pick<ChartOf, 'resource' | 'report' | 'filter' | 'sum' | 'by'>>

/** Whether the caller may read every field that a list is filtered by, and that is counted or added up. */
function readsFields(
  context: Context,
  definition: DocTypeDefinition,
  { filter = '', sum, by }: Part,
): boolean {
  const known = knownFields(knownTo(context, definition)).map(({ name }) => name)
  const isKnown = (name: string): boolean =>
    known.includes(name) || known.includes(name.slice(0, Math.max(0, name.lastIndexOf('__'))))
  const names = [...new URLSearchParams(filter).keys()]
  if (sum !== undefined) names.push(...sum.split(','))
  if (by !== undefined) names.push(by.split(':')[0]!)
  return names.every(isKnown)
}

import { isManager } from '../../access/actor.ts'
import { canSee, holdsRole } from '../../access/can.ts'
import type { Context } from '../../documents/work/context.ts'
import type { Reports } from '../compile/load.ts'
import { maySee } from '../run/access.ts'
import type { Workspace } from './workspace.ts'

/** The workspaces as a caller sees them: without what they may not read; one that has nothing left is not there. */
export function seenWorkspaces(
  context: Context,
  reports: Reports,
  workspaces: readonly Workspace[],
): readonly Workspace[] {
  const { registry } = context.services
  const seesResource = (slug: string): boolean => {
    const definition = registry.bySlug(slug)
    return definition !== undefined && canSee(context, definition)
  }
  const seesReport = (slug: string): boolean => {
    const report = reports.bySlug(slug)
    return report !== undefined && maySee(context, report)
  }
  return workspaces
    .filter(({ roles }) => !roles || isManager(context.actor) || holdsRole(context.actor, roles))
    .map((one) => ({
      ...one,
      cards: one.cards.filter(({ resource }) => seesResource(resource)),
      shortcuts: one.shortcuts.filter(({ resource, report }) =>
        resource === undefined ? seesReport(report!) : seesResource(resource),
      ),
      charts: one.charts.filter(({ report }) => seesReport(report)),
    }))
    .filter(({ cards, shortcuts, charts }) => cards.length + shortcuts.length + charts.length > 0)
}

import { isManager } from '../../access/actor.ts'
import { canSee, holdsRole, missingRole } from '../../access/can.ts'
import { assertMay, may } from '../../documents/rights/door.ts'
import type { Context } from '../../documents/work/context.ts'
import type { Report } from '../declare/report.ts'

/**
 * Refuses who may not run a report: it needs the right `report` on every DocType it takes rows from, and `read` on
 * those it looks at through links, or what it shows would go round the rights of their own lists. Throws 401/403.
 */
export function assertMayRun(context: Context, { label, roles, sources, linked }: Report): void {
  for (const definition of sources) assertMay(context, definition, 'report')
  for (const definition of linked) assertMay(context, definition, 'read')
  if (roles === undefined || isManager(context.actor) || holdsRole(context.actor, roles)) return
  throw missingRole(context.actor, roles, `run the report ${label}`)
}

/** Whether the caller may know of a report: what it reads may still need a higher tier. */
export function maySee(context: Context, { roles, sources, linked }: Report): boolean {
  if (![...sources, ...linked].every((definition) => canSee(context, definition))) return false
  return roles === undefined || isManager(context.actor) || holdsRole(context.actor, roles)
}

/** Whether the caller may run it as things are. */
export function mayRun(context: Context, report: Report): boolean {
  return (
    maySee(context, report) &&
    report.sources.every((definition) => may(context, definition, 'report')) &&
    report.linked.every((definition) => may(context, definition, 'read'))
  )
}

import { isManager } from '../../access/actor.ts'
import { canSee, holdsRole, missingRole } from '../../access/can.ts'
import { assertMay, may } from '../../documents/rights/door.ts'
import type { Context } from '../../documents/work/context.ts'
import type { Report } from '../declare/report.ts'

/**
 * Refuses who may not run a report: it needs the right `report` on every DocType it takes rows from, and `read` on
 * those it looks at through links, or what it shows would go round the rights of their own lists; the same of fields
 * that only some may read. Throws 401/403.
 */
export function assertMayRun(context: Context, report: Report): void {
  const { label, roles, sources, linked, readers } = report
  for (const definition of sources) assertMay(context, definition, 'report')
  for (const definition of linked) assertMay(context, definition, 'read')
  if (isManager(context.actor)) return
  const closed = readers.find((list) => !holdsRole(context.actor, list))
  if (closed) throw missingRole(context.actor, closed, `read all that the report ${label} reads`)
  if (roles === undefined || holdsRole(context.actor, roles)) return
  throw missingRole(context.actor, roles, `run the report ${label}`)
}

/** Refuses who may not take a report away as a file: it needs `export` on every DocType it takes rows from. Throws 403. */
export function assertMayExport(context: Context, { sources }: Pick<Report, 'sources'>): void {
  for (const definition of sources) assertMay(context, definition, 'export')
}

/** Whether the caller may know of a report: what it reads may still need a higher tier. */
export function maySee(context: Context, { roles, sources, linked, readers }: Report): boolean {
  if (![...sources, ...linked].every((definition) => canSee(context, definition))) return false
  if (!mayReadAll(context, { readers })) return false
  return roles === undefined || isManager(context.actor) || holdsRole(context.actor, roles)
}

/** Whether the caller may read every field that a report reads, as far as fields have rights of their own. */
export function mayReadAll(
  { actor }: Pick<Context, 'actor'>,
  { readers }: Pick<Report, 'readers'>,
): boolean {
  return isManager(actor) || readers.every((list) => holdsRole(actor, list))
}

/** Whether the caller may run it as things are. */
export function mayRun(context: Context, report: Report): boolean {
  return (
    maySee(context, report) &&
    report.sources.every((definition) => may(context, definition, 'report')) &&
    report.linked.every((definition) => may(context, definition, 'read'))
  )
}

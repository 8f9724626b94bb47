import type { DocTypeDefinition } from '../../definition/model/definition.ts'
import { isKeptByEngine } from '../../definition/model/kept.ts'
import type { Registry } from '../../definition/model/registry.ts'
import type { Report } from '../declare/report.ts'
import type { Card, Workspace } from './workspace.ts'

/** Most cards, shortcuts and charts that a module makes by itself. */
const MOST = { cards: 4, shortcuts: 8, charts: 2 } as const

/** The workspaces that follow from the modules, in their order; a module without records of its own has none. */
export function workspacesOfModules(
  registry: Registry,
  reports: readonly Report[],
): readonly Workspace[] {
  const { all, vocabulary } = registry
  const named = ({ doctype }: DocTypeDefinition): number => registry.linksTo(doctype).length
  return [...vocabulary.modules].flatMap(([module, label]) => {
    const own = all.filter((one) => one.module === module && !isKeptByEngine(one))
    if (own.length === 0) return []
    const ofModule = reports.filter((report) => report.module === module)
    const ordered = [...own].sort(
      (one, other) => weightOf(other) - weightOf(one) || named(other) - named(one),
    )
    return {
      name: module,
      label,
      modules: [module],
      icon: ordered.find(({ icon }) => icon)?.icon ?? null,
      cards: ordered.flatMap((one) => cardOf(one) ?? []).slice(0, MOST.cards),
      shortcuts: [
        ...ordered
          .slice(0, MOST.shortcuts)
          .map(({ slug, labelPlural }) => ({ label: labelPlural, resource: slug })),
        ...ofModule.map(({ slug, label: named }) => ({ label: named, report: slug })),
      ],
      charts: ofModule
        .filter(({ chart }) => chart !== undefined)
        .slice(0, MOST.charts)
        .map(({ slug, label: named }) => ({ label: named, report: slug })),
      steps: [],
      pages: [],
    }
  })
}

/**
 * How much a DocType is of the day's work: documents before records with a status, these before masters; among them, what
 * others name most comes first.
 */
function weightOf({ submittable, behaviour }: DocTypeDefinition): number {
  return (submittable ? 2 : 0) + (behaviour.status ? 1 : 0)
}

/** The records of a DocType that wait for somebody: drafts, or those in the state where all begin. */
function cardOf({
  slug,
  labelPlural,
  submittable,
  behaviour,
}: DocTypeDefinition): Card | undefined {
  const label = labelPlural
  if (submittable) return { label, resource: slug, filter: 'docstatus=0' }
  const { status } = behaviour
  if (!status?.flow || status.initial === undefined) return undefined
  return {
    label,
    resource: slug,
    filter: `${status.field}=${encodeURIComponent(status.initial)}`,
  }
}

import type { DocTypeDefinition } from '../model/definition.ts'
import type { Path } from '../yaml/parse.ts'
import type { Draft } from './world.ts'

/** Slugs that are routes of the API (contract §1). */
export const RESERVED_SLUGS: ReadonlySet<string> = new Set([
  'resources',
  'reports',
  'addons',
  'access',
  'proof',
  'tiers',
  'events',
  'webhooks',
  'api-keys',
  'openapi.json',
  'me',
  'security',
  'boot',
  'search',
  'stream',
  'jobs',
  'imports',
  'notifications',
  'backups',
  'list-views',
  'links',
  'studio',
])
/** Prefix of the tables of the engine itself. */
const SYSTEM_PREFIX = 'svc'
/** Longest name of a table: PostgreSQL cuts longer ones off. */
const MAX_TABLE_NAME = 63

type ReportIn = (draft: Draft, path: Path, message: string) => void

/** Reports two DocTypes under one slug or one name of rows, slugs the API needs itself, names too long for a table. */
export function checkClashes(drafts: readonly Draft[], report: ReportIn): void {
  const slugs = new Map<string, DocTypeDefinition>()
  const rows = new Map(
    drafts.map(({ definition }): [string, string] => [
      definition.doctype,
      `the DocType ${definition.doctype}`,
    ]),
  )
  const serving = new Map<string, DocTypeDefinition>()
  for (const draft of drafts) {
    const { definition, raw } = draft
    const { serves } = definition
    if (serves !== undefined) {
      const other = serving.get(serves)
      if (other) report(draft, ['serves'], `${other.doctype} serves ${serves} already`)
      else serving.set(serves, definition)
    }
    if (!definition.isChild) {
      const at: Path = [raw.data.resource === undefined ? 'doctype' : 'resource']
      claimSlug(definition.slug, at, draft, slugs, report)
      for (const [index, alias] of definition.aliases.entries())
        claimSlug(alias, ['aliases', index], draft, slugs, report)
    }
    for (const { name, child } of definition.fields) {
      if (!child) continue
      if (`${definition.table}__${name}`.length > MAX_TABLE_NAME) {
        report(
          draft,
          ['fields', name],
          `its table would be called ${definition.table}__${name}; expected at most ${MAX_TABLE_NAME} characters`,
        )
      }
      if (!isInline(draft, name)) continue
      const taken = rows.get(child.name)
      if (taken !== undefined) {
        report(
          draft,
          ['fields', name],
          `its rows would be called ${child.name} as ${taken} already is; give it options: with another name`,
        )
      } else rows.set(child.name, `the table ${name} of ${definition.doctype}`)
    }
  }
}

function isInline({ raw }: Draft, table: string): boolean {
  const fields = raw.data.fields as
    | Readonly<Record<string, { readonly fields?: unknown } | undefined>>
    | undefined
  return fields?.[table]?.fields !== undefined
}

function claimSlug(
  slug: string,
  path: Path,
  draft: Draft,
  slugs: Map<string, DocTypeDefinition>,
  report: ReportIn,
): void {
  const { definition } = draft
  if (RESERVED_SLUGS.has(slug) || slug.startsWith(SYSTEM_PREFIX)) {
    report(
      draft,
      path,
      `the slug ${slug} is taken by the API itself; give the DocType another one with resource:`,
    )
    return
  }
  const other = slugs.get(slug)
  if (other) {
    report(
      draft,
      path,
      `the slug ${slug} is already that of ${other.doctype} (${other.files[0]}); choose another with resource:`,
    )
    return
  }
  slugs.set(slug, definition)
}

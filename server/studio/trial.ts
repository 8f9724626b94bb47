import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join, relative } from 'node:path'
import { loadRoles } from '../../engine/access/load-roles.ts'
import { createGrants, type GrantsOf } from '../../engine/access/roles.ts'
import type { DocTypeDefinition } from '../../engine/definition/model/definition.ts'
import { isKeptByEngine } from '../../engine/definition/model/kept.ts'
import type { Registry } from '../../engine/definition/model/registry.ts'
import type { DefinitionProblem } from '../../engine/definition/yaml/problems.ts'
import { readSource } from '../../engine/definition/yaml/source.ts'
import type { MigrationCosts } from '../../engine/documents/start/plan-costs.ts'
import { costsOf } from '../../engine/documents/start/plan-costs.ts'
import type { Services } from '../../engine/documents/work/context.ts'
import { loadChecked } from '../../engine/index.ts'
import { createProgram } from '../../engine/rules/program/program.ts'
import { bringTables } from '../../engine/storage/migration/bring-tables.ts'
import type { Refusal } from '../../engine/storage/migration/migration-plan.ts'
import type { CheckAnswer, CheckQuestion } from './check-beside.ts'
import { lossesOf } from './losses.ts'
import { put, shownPath } from './own-folder.ts'
import type { WantedFile } from './wanted-files.ts'

/** What a change of definitions comes to, without anything being changed. */
export interface Trial {
  readonly problems: readonly DefinitionProblem[]
  readonly warnings: readonly DefinitionProblem[]
  /** Undefined where the definitions have mistakes. */
  readonly migration: Migration | undefined
  /** What is lost or no longer shown, each a sentence. */
  readonly losses: readonly string[]
  readonly rights: readonly ChangedRights[]
  /** Slug that the DocType has then; undefined where it has none. */
  readonly slug: string | undefined
}

export interface Migration extends MigrationCosts {
  readonly refused: readonly Refusal[]
  readonly hints: readonly string[]
}

/** What a role may do before and after. */
export interface ChangedRights {
  readonly role: string
  readonly before: readonly string[]
  readonly after: readonly string[]
}

const RIGHTS = ['read', 'create', 'update', 'delete', 'report', 'export'] as const
const OF_DOCUMENTS = ['submit', 'cancel', 'amend'] as const

/** What a trial is made with. */
export interface Bench {
  readonly services: Services
  /** The workspace's own folder of definitions. */
  readonly folder: string
  readonly check: (question: CheckQuestion) => Promise<CheckAnswer>
}

/** Tries files in a copy of the folder: the check of `svc doctype check`, the plan of `svc migrate --plan`, and the rights. */
export async function tryFiles(
  { services, folder, check }: Bench,
  doctype: string,
  files: readonly WantedFile[],
): Promise<Trial> {
  const { registry, folders } = services
  const unread = files.flatMap(unreadable(folders))
  if (unread.length > 0) return { ...UNCHECKED, problems: unread }
  const place = mkdtempSync(join(tmpdir(), 'svc-studio-'))
  const copy = join(place, 'doctypes')
  const there = folders.map((one) => (one === folder ? copy : one))
  try {
    copyFolder(folder, copy, files)
    const sources = { doctypes: there, cacheFolder: join(place, 'cache') }
    const answer = await check(sources)
    const problems = answer.problems.map(shown(there))
    if (problems.length > 0) return { ...UNCHECKED, problems }
    const { registry: next } = loadChecked({ ...sources, hooks: registry.vocabulary.hooks })
    const definition = next.byDoctype(doctype)
    const before = registry.byDoctype(doctype)
    const grants = createGrants(loadRoles(there, next.vocabulary.modules))
    return {
      problems,
      warnings: answer.warnings.map(shown(there)),
      migration: await planOf(services, next),
      losses: lossesOf(before, definition),
      rights: changedRights(
        before && rightsOf(services.grants, before),
        definition && rightsOf(grants, definition),
      ),
      slug: definition && !definition.isChild ? definition.slug : undefined,
    }
  } finally {
    rmSync(place, { recursive: true, force: true })
  }
}

/** Trial of what has mistakes. */
export const UNCHECKED: Trial = {
  problems: [],
  warnings: [],
  migration: undefined,
  losses: [],
  rights: [],
  slug: undefined,
}

/** Mistakes of a text that is no YAML; they need no check of all the others. */
const unreadable =
  (folders: readonly string[]) =>
  ({ path, text }: WantedFile): readonly DefinitionProblem[] =>
    text === null ? [] : readSource({ path: shownPath(folders, path), text }).problems

function copyFolder(folder: string, copy: string, files: readonly WantedFile[]): void {
  mkdirSync(copy)
  // Hidden files are not loaded; what was saved before may be large.
  if (existsSync(folder))
    cpSync(folder, copy, { recursive: true, filter: (path) => !basename(path).startsWith('.') })
  for (const { path, text } of files) {
    const at = join(copy, relative(folder, path))
    mkdirSync(dirname(at), { recursive: true })
    put(at, text)
  }
}

const shown =
  (folders: readonly string[]) =>
  (problem: DefinitionProblem): DefinitionProblem => ({
    ...problem,
    file: shownPath(folders, problem.file),
    message: folders.reduce((text, folder) => text.replaceAll(`${folder}/`, ''), problem.message),
  })

async function planOf(
  { database, folders, version }: Services,
  next: Registry,
): Promise<Migration> {
  const own = { folders, program: version }
  const options = { dryRun: true, full: true, acceptOlder: () => true }
  const result = await bringTables(database, next, own, options)
  const { refused, hints } = result
  return { ...(await costsOf(database, createProgram(next), result)), refused, hints }
}

/** Role → what it may do with the records of a DocType. */
export function rightsOf(
  grantsOf: GrantsOf,
  definition: DocTypeDefinition,
): ReadonlyMap<string, readonly string[]> {
  const grants = grantsOf(definition)
  const asked = isKeptByEngine(definition)
    ? (['read', 'report', 'export'] as const)
    : [...RIGHTS, ...(definition.submittable ? OF_DOCUMENTS : [])]
  const rights = new Map<string, string[]>()
  for (const right of asked)
    for (const role of grants.rolesFor(right))
      rights.set(role, [...(rights.get(role) ?? []), right])
  return rights
}

function changedRights(
  before: ReadonlyMap<string, readonly string[]> = new Map(),
  after: ReadonlyMap<string, readonly string[]> = new Map(),
): readonly ChangedRights[] {
  const roles = [...new Set([...before.keys(), ...after.keys()])].sort()
  return roles.flatMap((role) => {
    const [old, now] = [before.get(role) ?? [], after.get(role) ?? []]
    return old.join() === now.join() ? [] : [{ role, before: old, after: now }]
  })
}

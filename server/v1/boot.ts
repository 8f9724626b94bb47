import type { Request, Router } from 'express'
import { isManager } from '../../engine/access/actor.ts'
import { assertScope, canSee } from '../../engine/access/can.ts'
import { unlocks } from '../../engine/access/plans.ts'
import { BRAND } from '../../engine/base/brand.ts'
import { isObject } from '../../engine/base/json-text.ts'
import { lastProof } from '../../engine/documents/verify/proof.ts'
import type { Context } from '../../engine/documents/work/context.ts'
import type { Engine } from '../../engine/index.ts'
import type { Report } from '../../engine/reports/declare/report.ts'
import { maySee } from '../../engine/reports/run/access.ts'
import { seenWorkspaces } from '../../engine/reports/workspaces/seen-workspaces.ts'
import type { Workspace } from '../../engine/reports/workspaces/workspace.ts'
import type { Telling } from '../../engine/schema/catalogue/told.ts'
import { lastPlace } from '../../engine/storage/finding/logged-changes.ts'
import { usedTables } from '../../engine/storage/finding/used-tables.ts'
import { type CompanyRecord, companyRecord } from '../../engine/storage/workspace/company.ts'
import { countNotifications } from '../../engine/storage/workspace/notifications.ts'
import { readPersonSetting } from '../../engine/storage/workspace/person-settings.ts'
import { csrfToken } from '../auth/forgery.ts'
import { findPerson, peopleOf } from '../auth/people.ts'
import { methodNotAllowed } from '../http/not-found.ts'
import { takes } from '../http/query-parameters.ts'
import type { ApiResponse, Handler } from '../http/request-state.ts'
import { localFormats } from './boot-formats.ts'
import type { V1 } from './call.ts'
import { canWords } from './call-rights.ts'
import { createWords } from './catalog-words.ts'
import { sendTagged, taggedText } from './definition-texts.ts'

/** `GET /v1/boot`: all that a screen needs to begin with, for who asks (contract §7.1). */
export function bootRoutes(
  router: Router,
  { engine, webhooks }: Pick<V1, 'engine' | 'webhooks'>,
  env: string,
): void {
  router.get('/boot', takes(), boot(engine, webhooks.secretKey, env))
  router.all('/boot', methodNotAllowed('GET, HEAD'))
}

function boot(engine: Engine, secretKey: Buffer, env: string): Handler {
  const words = createWords()
  return async (request, response) => {
    const { actor, tier, session } = response.locals
    assertScope(actor, 'read', 'read what the workspace has')
    const context = engine.context(actor, tier)
    const { services } = context
    const { read, kind } = services.database
    // Before everything that is read: what changes from now on, a stream that goes on behind it tells.
    response.setHeader('X-Stream-At', String(await lastPlace(read, kind)))
    const language = await words.languageOf(context, request)
    const telling = words.telling(services, language)
    const companies = services.registry.serving('companies')
    const company = companies && (await companyRecord(read, companies))
    const reports = await engine.reports().readAll()
    const proof = isProofShown(context) ? await lastProof(read) : undefined
    const answer = {
      person: await personOf(context),
      workspace: {
        label: company?.company_name ?? BRAND,
        tier,
        env,
        version: services.version(),
        company: company?.company_name ?? null,
        demo: actor.user?.demoTier !== undefined,
      },
      csrf: session === undefined ? null : csrfToken(secretKey, session.id),
      formats: formatsOf(language, request, company),
      notifications: { unread: await unreadOf(context) },
      modules: modulesOf(context, telling),
      workspaces: await workspacesOf(engine, context, telling),
      resources: resourcesOf(context, telling),
      reports: reportsOf(reports, context, telling),
      colors: Object.fromEntries(services.colors),
      desk: await deskOf(context),
      proof: proof
        ? {
            at: proof.at,
            checks: proof.checks,
            ok: proof.differences === 0,
            differences: proof.differences,
          }
        : null,
    }
    vary(response)
    sendTagged(request, response, taggedText(JSON.stringify(answer)))
  }
}

/** How many notifications the person has not read; a key of the workspace has none. */
async function unreadOf({ services, actor }: Context): Promise<number> {
  if (!actor.user) return 0
  const filter = { login: actor.user.login, isUnread: true }
  return countNotifications(services.database.read, filter)
}

/** What the person keeps for the Desk, so that its first list is asked for as it is wanted. */
async function deskOf({ services, actor }: Context): Promise<object | null> {
  if (!actor.user) return null
  const kept = await readPersonSetting(services.database.read, actor.user.login, 'desk')
  const value: unknown = JSON.parse(kept ?? 'null')
  return isObject(value) ? value : null
}

function vary(response: ApiResponse): void {
  response.vary('Accept-Language')
}

/** The proof of the books is for System Managers, as `GET /v1/proof` is. */
function isProofShown({ actor }: Context): boolean {
  return isManager(actor)
}

/** The person who asks, or whose key does; null for a key of the workspace. */
async function personOf({ services, actor }: Context): Promise<object | null> {
  if (!actor.user) return null
  const person = await findPerson(services, actor.user.login)
  if (!person) return null
  const { login, fullName, email, image, roles, language } = person
  const record = await services
    .partsOf(peopleOf(services))
    .store.find(services.database.read, login)
  return {
    name: login,
    full_name: fullName,
    email,
    image,
    roles,
    language,
    time_zone: record?.time_zone ?? null,
  }
}

function formatsOf(
  language: string,
  request: Pick<Request, 'acceptsLanguages'>,
  company: CompanyRecord | undefined,
): object {
  const wanted = request.acceptsLanguages().find((one) => one.startsWith(`${language}-`))
  return { ...localFormats(wanted ?? language), currency: company?.default_currency ?? null }
}

function modulesOf({ services }: Context, { label }: Telling): readonly object[] {
  const { registry } = services
  return [...registry.vocabulary.modules].map(([name, heading]) => ({
    name,
    label: label(heading),
    icon: registry.all.find((one) => one.module === name && one.icon)?.icon ?? null,
  }))
}

/** The resources that the caller may know of, those above the tier of the workspace as locked. */
function resourcesOf(context: Context, { label }: Telling): readonly object[] {
  const { registry } = context.services
  return registry.all
    .filter((definition) => canSee(context, definition))
    .map((definition) => ({
      slug: definition.slug,
      doctype: definition.doctype,
      label: label(definition.label),
      label_plural: label(definition.labelPlural),
      module: definition.module,
      icon: definition.icon ?? null,
      tier: definition.tier,
      locked: !unlocks(context.plans, context.tier, definition.tier),
      submittable: definition.submittable,
      title_field: definition.titleField,
      ...(definition.serves === undefined ? {} : { serves: definition.serves }),
      can: canWords(context, definition),
    }))
}

async function workspacesOf(
  engine: Engine,
  context: Context,
  { label }: Telling,
): Promise<readonly object[]> {
  const told = <T extends { readonly label: string }>(one: T): T => ({
    ...one,
    label: label(one.label),
  })
  const { registry, database } = context.services
  const seen = seenWorkspaces(context, engine.reports(), engine.workspaces())
  // Numbers are of what people work on; lists of masters are filled by the setup itself.
  const tablesOf = ({ cards }: Workspace): readonly string[] =>
    cards.flatMap(({ resource = '' }) => registry.bySlug(resource)?.table ?? [])
  const used = await usedTables(database.read, [...new Set(seen.flatMap(tablesOf))])
  return seen.map((one) => {
    const { roles: _, cards, shortcuts, charts, steps, pages, ...workspace } = one
    return {
      ...told(workspace),
      used: tablesOf(one).some((table) => used.has(table)),
      cards: cards.map(told),
      shortcuts: shortcuts.map(told),
      charts: charts.map(told),
      steps: steps.map(told),
      pages: pages.map(told),
    }
  })
}

function reportsOf(
  reports: readonly Report[],
  context: Context,
  telling: Telling,
): readonly object[] {
  return reports
    .filter((report) => maySee(context, report))
    .map(({ slug, label, module }) => ({ slug, label: telling.label(label), module }))
}

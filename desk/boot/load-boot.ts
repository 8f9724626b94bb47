import type { Client } from '../data/client.ts'
import type { Boot, ResourceEntry } from '../data/types.ts'
import { sentenceCase } from '../words/sentence-case.ts'

interface CatalogueEntry {
  readonly slug: string
  readonly doctype: string
  readonly label: string
  readonly tier: string
  readonly module: string
  readonly submittable: boolean
  readonly read_only?: boolean
  readonly alias_of?: string
  readonly fields: readonly { readonly name: string; readonly filterable: boolean }[]
}

/** What the Desk knows before it draws anything, of the catalogue and the session. */
export async function loadBoot(client: Client): Promise<Boot> {
  const method = <T>(name: string): Promise<T> =>
    client.ask<{ message: T }>(`/api/method/${name}`).then(({ body }) => body.message)
  const [login, csrf, catalogue, tiers] = await Promise.all([
    method<string>('frappe.auth.get_logged_user'),
    method<string>('frappe.sessions.get_csrf_token'),
    client.ask<{ data: readonly CatalogueEntry[] }>('/v1/resources'),
    client.ask<{ data: readonly { slug: string }[]; current: string }>('/v1/tiers'),
  ])
  const order = tiers.body.data.map(({ slug }) => slug)
  const isAbove = (tier: string): boolean => order.indexOf(tier) > order.indexOf(tiers.body.current)
  const resources = catalogue.body.data
    .filter((one) => one.alias_of === undefined)
    .map((one) => ({ ...entryOf(one), locked: isAbove(one.tier) }))
  const modules = [...new Set(resources.map(({ module }) => module))].sort()
  return {
    person: { name: login, full_name: login },
    workspace: { label: document.title },
    csrf,
    modules: modules.map((name) => ({
      name,
      label: name.length < 4 ? name.toUpperCase() : sentenceCase(name),
    })),
    resources,
  }
}

function entryOf({
  slug,
  doctype,
  label,
  tier,
  module,
  submittable,
  read_only,
  fields,
}: CatalogueEntry): ResourceEntry {
  const can = read_only ? ['read'] : ['read', 'create', 'update', 'delete', 'submit', 'cancel']
  const label_plural = sentenceCase(slug.replaceAll('-', ' '))
  return {
    slug,
    doctype,
    label: sentenceCase(label),
    label_plural,
    tier,
    module,
    submittable,
    read_only,
    can,
    filters: fields.filter(({ filterable }) => filterable).map(({ name }) => name),
  }
}

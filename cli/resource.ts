import { suggest } from '../engine/base/suggest.ts'
import type { DocTypeDefinition } from '../engine/definition/model/definition.ts'
import type { Engine } from '../engine/index.ts'
import { UsageError } from './failure.ts'

/** The DocType of a resource by its slug or alias. Throws UsageError with the nearest one there is. */
export function resourceOf({ services }: Engine, slug: string): DocTypeDefinition {
  const { registry } = services
  const found = registry.bySlug(slug)
  if (found) return found
  const near = suggest(
    slug,
    registry.all.map((definition) => definition.slug),
  )
  const hint = near === undefined ? '`svc doctype list` names all' : `did you mean ${near}?`
  throw new UsageError(`there is no resource ${JSON.stringify(slug)}; ${hint}`)
}

import { knownTo } from '../../access/known-to.ts'
import { AppError } from '../../base/errors.ts'
import type { DocTypeDefinition } from '../../definition/model/definition.ts'
import { publicPlace } from '../../fields/public-fields.ts'
import type { IncomingLinksQuery } from '../../storage/finding/links.ts'
import { incomingLinks } from '../../storage/finding/links.ts'
import type { CreatedDocuments } from '../../storage/records/journal.ts'
import { nameable } from '../rights/door.ts'
import type { Work } from '../work/work.ts'

/** Documents that an answer names. */
const MOST_TOLD = 20

/**
 * Throws 409 when other documents hold this record back, with those of them that the caller may read (contract
 * §3, `error.linked`; reliability.md M3).
 */
export async function assertNotLinked(
  work: Work,
  definition: DocTypeDefinition,
  name: string,
  {
    from,
    verb,
    own,
  }: {
    from: IncomingLinksQuery['from']
    verb: string
    /** Documents that do not count. */
    own?: CreatedDocuments
  },
): Promise<void> {
  const { tx, context } = work
  const { registry } = context.services
  const limit = MOST_TOLD + (own?.size ?? 0)
  const found = await incomingLinks(tx, registry, { definition, name, from, limit })
  const links = found
    .filter((link) => !own?.has(link.definition.doctype, link.name))
    .slice(0, MOST_TOLD)
  if (links.length === 0) return
  const named = await nameable(
    work,
    links.map(({ definition: by, name: id, field }) => ({
      doctype: by.doctype,
      name: id,
      field: publicPlace(knownTo(context, by), field),
      resource: by.slug,
    })),
  )
  const secret = named.length < links.length ? ', some of which you may not read' : ''
  throw new AppError(
    'CONFLICT',
    `cannot ${verb} ${definition.label} ${JSON.stringify(name)}: other documents link to it${secret}`,
    {
      details: named.map((link) => ({
        field: link.field,
        message: `${link.doctype} ${link.name} links to it`,
        code: 'linked' as const,
      })),
      linked: named.map(({ resource, doctype, name: id, field }) => ({
        resource,
        doctype,
        id,
        field,
      })),
    },
  )
}

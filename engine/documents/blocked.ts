import { AppError } from '../base/errors.ts'
import type { DocTypeDefinition } from '../definition/definition.ts'
import { type IncomingLinksQuery, incomingLinks } from '../storage/links.ts'
import type { Work } from './work.ts'

/** Throws 409 with the linked documents when others hold this record back (contract §3, `error.linked`). */
export async function assertNotLinked(
  { tx, context }: Work,
  definition: DocTypeDefinition,
  name: string,
  {
    from,
    verb,
    own = () => false,
  }: {
    from: IncomingLinksQuery['from']
    verb: string
    /** Documents that do not count. */
    own?: (doctype: string, name: string) => boolean
  },
): Promise<void> {
  const { registry } = context.services
  const found = await incomingLinks(tx, registry, { definition, name, from })
  const links = found.filter((link) => !own(link.definition.doctype, link.name))
  if (links.length === 0) return
  throw new AppError(
    'CONFLICT',
    `cannot ${verb} ${definition.label} ${JSON.stringify(name)}: other documents link to it`,
    {
      details: links.map((link) => ({
        field: link.field,
        message: `${link.definition.doctype} ${link.name} links to it`,
      })),
      linked: links.map((link) => ({
        resource: link.definition.slug,
        doctype: link.definition.doctype,
        id: link.name,
        field: link.field,
      })),
    },
  )
}

import type { DocTypeDefinition, Service } from '../../definition/model/definition.ts'
import type { Registry } from '../../definition/model/registry.ts'

/** Fields by which a record says what it is about: that of the DocType, and that of the id. */
export interface About {
  readonly kind: string
  readonly record: string
}

/** Link of a DocType to a record of any kind: its first one. Undefined where its records are about nothing. */
export function aboutOf({ fields }: Pick<DocTypeDefinition, 'fields'>): About | undefined {
  const link = fields.find(({ linkFrom }) => linkFrom !== undefined)
  return link && { kind: link.linkFrom!, record: link.name }
}

/** What is kept about records of any kind, by who serves it. */
const KINDS = { comments: 'comment', mails: 'mail', files: 'file', todos: 'assigned' } as const

/** DocType whose records are about others, and what they are called in a timeline. */
export interface Companion {
  readonly kind: (typeof KINDS)[keyof typeof KINDS]
  readonly definition: DocTypeDefinition
  readonly about: About
}

/** The DocTypes of comments, mails, files and to-dos that this workspace has. */
export function companionsOf(registry: Pick<Registry, 'serving'>): readonly Companion[] {
  return Object.entries(KINDS).flatMap(([service, kind]) => {
    const definition = registry.serving(service as Service)
    const about = definition && aboutOf(definition)
    return about ? [{ kind, definition, about }] : []
  })
}

import type { DocTypeDefinition, EventDeclaration } from '../../definition/model/definition.ts'
import { KIND_OF_TRIGGER, undeclaredKinds } from '../../definition/model/event-kinds.ts'
import type { Registry } from '../../definition/model/registry.ts'
import { groupOf } from '../../definition/model/vocabulary.ts'
import { titleCase } from '../../definition/normalise/slug.ts'
import { publicField } from '../../fields/public-fields.ts'
import { capitalised, inSentence, withArticle } from '../shapes/label-text.ts'
import { eventsOf } from './catalog.ts'
import type { EventEntry } from './event-entry.ts'
import { eventExample } from './event-example.ts'
import { eventSchema, recordPart } from './event-schema.ts'
import { workspaceEvents } from './workspace-events.ts'

/**
 * Every type of event of a workspace, by resource: those the loaded DocTypes emit, declared or not, and behind them
 * `ofWorkspace`, those about the workspace itself. It takes some 100 ms at 140 resources: build it when it is first
 * asked for and keep it while the registry is the same.
 */
export function eventCatalogue(
  registry: Registry,
  ofWorkspace: readonly EventEntry[] = workspaceEvents(registry.vocabulary),
): readonly EventEntry[] {
  return [
    ...registry.all.flatMap((definition) => resourceEvents(registry, definition)),
    ...ofWorkspace,
  ]
}

/** What can happen, in words alone: no schemas and examples, which are what takes its time. */
export function toldEvents(
  registry: Registry,
): readonly Pick<EventEntry, 'event' | 'group' | 'description'>[] {
  const ofRecords = registry.all.flatMap((definition) => {
    const group = groupOf(registry.vocabulary, definition)
    return eventsOf(definition).map((event) => {
      const kind = event.slice(definition.slug.length + 1)
      const declared = definition.behaviour.events?.[kind]
      const description = declared?.description ?? whatHappened(definition, kind, declared)
      return { event, group, description }
    })
  })
  return [...ofRecords, ...workspaceEvents(registry.vocabulary)]
}

/** The entries of one resource. */
export function resourceEvents(
  registry: Registry,
  definition: DocTypeDefinition,
): readonly EventEntry[] {
  const { slug: resource, behaviour } = definition
  const record = recordPart(definition)
  return eventsOf(definition).map((event) => {
    const kind = event.slice(resource.length + 1)
    const declared = behaviour.events?.[kind]
    const key_fields = keyFields(definition, kind, declared)
    const own = ownKeys(declared)
    return {
      event,
      resource,
      kind,
      group: groupOf(registry.vocabulary, definition),
      description: declared?.description ?? whatHappened(definition, kind, declared),
      key_fields,
      schema: eventSchema({ registry, definition, record, own, required: key_fields }),
      example: eventExample({ registry, definition, kind, declared, own }),
    }
  })
}

/** Keys of the data of an event beside the record, as key → expression; none where `data` lists fields. */
export function ownKeys(declared: EventDeclaration | undefined): Readonly<Record<string, string>> {
  const { data = [] } = declared ?? {}
  return Array.isArray(data) ? {} : (data as Readonly<Record<string, string>>)
}

/** Keys to rely on: `id` and those the YAML names, else the title and (but of a deleted record) the status. */
function keyFields(
  definition: DocTypeDefinition,
  kind: string,
  declared: EventDeclaration | undefined,
): readonly string[] {
  const { titleField, behaviour } = definition
  const named = isAlwaysThere(definition, kind, declared) ? namedKeys(declared) : []
  if (named.length > 0) return [...new Set(['id', ...named])]
  const status = kind === KIND_OF_TRIGGER.delete ? undefined : behaviour.status?.field
  const title = titleField === 'name' ? 'id' : titleField
  return [...new Set(['id', title, ...(status === undefined ? [] : [status])])]
}

function namedKeys({ data = [] }: EventDeclaration = {}): readonly string[] {
  return Array.isArray(data) ? (data as readonly string[]) : Object.keys(data)
}

/**
 * Whether an event never comes without the keys it declares. Fields of the record always come. Keys beside them
 * are missing where an event that happens anyway, such as `updated`, has a condition that does not hold.
 */
function isAlwaysThere(
  definition: DocTypeDefinition,
  kind: string,
  declared: EventDeclaration | undefined,
): boolean {
  if (!declared || Array.isArray(declared.data)) return true
  if (!undeclaredKinds(definition).includes(kind)) return true
  const { trigger, when } = declared
  return (
    when === undefined &&
    trigger !== undefined &&
    trigger !== 'change' &&
    KIND_OF_TRIGGER[trigger] === kind
  )
}

/** A sentence for an event whose YAML has none. */
function whatHappened(
  definition: DocTypeDefinition,
  kind: string,
  declared: EventDeclaration | undefined,
): string {
  const { label } = definition
  const one = withArticle(inSentence(label))
  const done = DONE[kind]
  if (done !== undefined) return `${capitalised(one)} was ${done}.`
  const changed = publicField(definition, declared?.field ?? '')
  if (changed) return `The ${inSentence(changed.label)} of ${one} has changed.`
  return `${capitalised(inSentence(label))}: ${titleCase(kind).toLowerCase()}.`
}

const DONE: Readonly<Record<string, string>> = {
  created: 'created',
  updated: 'changed',
  deleted: 'deleted',
  submitted: 'submitted',
  cancelled: 'cancelled',
}

import type { Registry } from '../../definition/model/registry.ts'
import { groupOf } from '../../definition/model/vocabulary.ts'
import type { JsonSchema } from '../../fields/field-type.ts'

/** What happens in a workspace, as far as parameters name it. */
interface KnownEvent {
  readonly event: string
  readonly group: string
}

/** Parameters whose values are names that this workspace knows, by their names among the shared ones. */
export function knownNames(
  registry: Registry,
  events: readonly KnownEvent[],
): Readonly<Record<string, JsonSchema>> {
  const slugs = registry.all.map(({ slug }) => slug)
  const aliases = registry.all.flatMap((definition) => definition.aliases)
  const modules = unique(registry.all.map(({ module }) => module)).sort()
  const groups = unique([
    ...registry.all.map((definition) => groupOf(registry.vocabulary, definition)),
    ...events.map(({ group }) => group),
  ])
  const wildcards = unique(events.map(({ event }) => `${event.split('.')[0]}.*`))
  const patterns = [...events.map(({ event }) => event), ...wildcards, '*']
  return {
    AnyResource: {
      ...{ name: 'resource', in: 'path', required: true },
      schema: { type: 'string', enum: slugs },
    },
    OneSlug: query('resource', 'Slug or alias of a resource', one([...slugs, ...aliases])),
    OneModule: query('module', 'Only the resources of this module', one(modules)),
    OneGroup: query('group', 'A heading', one(groups)),
    OneEvent: query(
      'event',
      'Its name, `<resource>.*` or `*`, as subscriptions say it',
      one(patterns),
    ),
    SlugsOfSlice: query(
      'resource',
      'Slugs of resources with commas between them; only these are described',
      { type: 'string', pattern: '^[a-z0-9-]+(,[a-z0-9-]+)*$' },
    ),
    ModulesOfSlice: query('module', 'Modules with commas between them; only theirs are described', {
      type: 'string',
      pattern: `^(${modules.join('|')})(,(${modules.join('|')}))*$`,
    }),
  }
}

function one(values: readonly string[]): JsonSchema {
  return { type: 'string', enum: values }
}

function query(name: string, description: string, schema: JsonSchema): JsonSchema {
  return { name, in: 'query', description, schema }
}

function unique(values: readonly string[]): string[] {
  return [...new Set(values)]
}

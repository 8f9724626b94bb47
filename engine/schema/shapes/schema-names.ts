import type { DocTypeDefinition } from '../../definition/model/definition.ts'
import type { Registry } from '../../definition/model/registry.ts'
import type { ChildDefinition } from '../../fields/field.ts'
import { publicFields } from '../../fields/public-fields.ts'
import { callableActions } from './catalog-actions.ts'

/** Names of shapes that belong to no DocType; no DocType's shapes may take them. */
export const SHARED_SHAPES = [
  'Addon',
  'ApiKey',
  'ApiKeyCreate',
  'ApiKeyCreated',
  'CatalogueEntry',
  'CatalogueField',
  'DeliveryAttempt',
  'Error',
  'ErrorDetail',
  'Event',
  'EventType',
  'Health',
  'LinkedDocument',
  'ListMeta',
  'Page',
  'ResourceAction',
  'ResourceDetail',
  'ResourceField',
  'Resources',
  'StandardAmendedFrom',
  'StandardCreated',
  'StandardDocstatus',
  'StandardFilters',
  'StandardId',
  'StandardModified',
  'StandardModifiedBy',
  'StandardName',
  'StandardOwner',
  'StandardRecord',
  'SubmittableFilters',
  'SubmittableRecord',
  'SubscribeRequest',
  'SubscribeResult',
  'Tier',
  'Titles',
  'Webhook',
  'WebhookCreate',
  'WebhookCreated',
  'WebhookEnvelope',
  'WebhookEvents',
  'WebhookRecovery',
  'WebhookRotation',
  'WebhookUpdate',
  'WithCreated',
] as const

/** Names of the shapes of a DocType in OpenAPI and TypeScript: the same in both. */
export interface SchemaNames {
  /** Name of a record; with `ListItem`, `Create`, `Update` or `Filters` behind it, of its other shapes. */
  record(definition: DocTypeDefinition): string
  /** Name of a row of a table; with `Create` or `Update` behind it, of what a body may hold. */
  row(child: ChildDefinition): string
  /** Name of an action of a DocType; with `Input` behind it, of what it takes: `ToolKitMakeInvoice`. */
  action(definition: DocTypeDefinition, name: string): string
  /** Name of the records' slug in operation ids: `tool-kits` → `ToolKits`. */
  plural(definition: DocTypeDefinition): string
}

const RECORD_SHAPES = ['', 'ListItem', 'Create', 'Update', 'Fields', 'Filters']
const ROW_SHAPES = ['', 'Create', 'Update', 'Fields']
const ACTION_SHAPES = ['', 'Input']

/**
 * One name for each DocType and child DocType, unique with all that is appended to it: `Tool Kit` →
 * `ToolKit`. Where two would be alike (`Tool Kit` beside `ToolKit`), later ones get a number.
 */
export function schemaNames(registry: Registry): SchemaNames {
  const taken = new Set<string>(SHARED_SHAPES)
  const records = new Map<string, string>()
  const rows = new Map<string, string>()
  const actions = new Map<string, string>()
  const plurals = new Map<string, string>()
  const takenPlurals = new Set<string>()
  for (const { doctype, slug } of registry.all) {
    records.set(doctype, claim(pascalCase(doctype), RECORD_SHAPES, taken))
    plurals.set(slug, claim(pascalCase(slug), [''], takenPlurals))
  }
  for (const { name } of childrenOf(registry)) {
    rows.set(name, claim(pascalCase(name), ROW_SHAPES, taken))
  }
  for (const definition of registry.all) {
    for (const [name] of callableActions(definition)) {
      const wanted = records.get(definition.doctype)! + pascalCase(name)
      actions.set(`${definition.doctype}.${name}`, claim(wanted, ACTION_SHAPES, taken))
    }
  }
  return {
    record: ({ doctype }) => records.get(doctype)!,
    row: ({ name }) => rows.get(name)!,
    action: ({ doctype }, name) => actions.get(`${doctype}.${name}`)!,
    plural: ({ slug }) => plurals.get(slug)!,
  }
}

/** The child DocTypes whose rows some DocType holds, each once, in the order of their DocTypes. */
export function childrenOf({ all }: Registry): readonly ChildDefinition[] {
  const children = new Map<string, ChildDefinition>()
  for (const definition of all) {
    for (const { child } of publicFields(definition)) if (child) children.set(child.name, child)
  }
  return [...children.values()]
}

function claim(wanted: string, shapes: readonly string[], taken: Set<string>): string {
  let name = wanted
  for (let n = 2; shapes.some((shape) => taken.has(name + shape)); n += 1) name = `${wanted}${n}`
  for (const shape of shapes) taken.add(name + shape)
  return name
}

/** Pascal case: `Tool Kit` → `ToolKit`, `make_invoice` → `MakeInvoice`; a letter behind a digit is a capital. */
function pascalCase(name: string): string {
  return name
    .split(/[ _-]/)
    .map((word) => word.slice(0, 1).toUpperCase() + word.slice(1))
    .join('')
    .replace(/\d[a-z]/g, (pair) => pair.toUpperCase())
}

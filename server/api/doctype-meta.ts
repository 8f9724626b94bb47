import { type Action, can } from '../../engine/access/can.ts'
import type { DocTypeDefinition } from '../../engine/definition/model/definition.ts'
import type { Registry } from '../../engine/definition/model/registry.ts'
import type { Context } from '../../engine/documents/work/context.ts'
import type { ChildDefinition, Field } from '../../engine/fields/field.ts'
import { frappeName } from '../../engine/fields/frappe-names.ts'
import { fieldType } from '../../engine/fields/index.ts'
import { publicFields } from '../../engine/fields/public-fields.ts'
import { fetchText } from '../../engine/schema/shapes/resource-field.ts'
import { waitingFields } from '../../engine/schema/shapes/waiting-fields.ts'

/** The DocType whose records are the DocTypes themselves; it has no table here. */
const META_DOCTYPE = 'DocType'

/** True for the name of that DocType, unless the workspace has declared one of its own. */
export function isMetaDoctype({ services: { registry } }: Context, name: unknown): boolean {
  return name === META_DOCTYPE && !registry.byDoctype(META_DOCTYPE)
}

/** Rights in Frappe's words, and in ours. */
export const RIGHTS: ReadonlyMap<string, Action> = new Map([
  ['read', 'read'],
  ['select', 'read'],
  ['write', 'update'],
  ['create', 'create'],
  ['delete', 'delete'],
  ['submit', 'submit'],
  ['cancel', 'cancel'],
  ['amend', 'amend'],
  ['report', 'report'],
  ['export', 'export'],
])

/** True when the caller may know what records of this DocType look like: those they may read, and rows of those. */
export function maySee(context: Context, definition: DocTypeDefinition): boolean {
  if (!definition.isChild) return can(context, definition, 'read')
  return context.services.registry
    .parentsOf(definition.doctype)
    .some((parent) => can(context, parent, 'read'))
}

/** The DocType of rows; one that stands in its parent's file has what it lacks from there. */
export function rowDoctype(
  registry: Registry,
  parent: DocTypeDefinition,
  { name, fields }: ChildDefinition,
): DocTypeDefinition {
  const own = registry.byDoctype(name)
  if (own) return { ...own, fields }
  const { description: _, ...rest } = parent
  return {
    ...rest,
    doctype: name,
    fields,
    isChild: true,
    submittable: false,
    titleField: 'name',
    searchFields: [],
    listFields: [],
  }
}

/** Row of a DocType in the list of DocTypes. */
export function doctypeRow(definition: DocTypeDefinition): Readonly<Record<string, unknown>> {
  const { doctype, module, submittable, isChild, titleField, searchFields } = definition
  return {
    name: doctype,
    doctype: META_DOCTYPE,
    module,
    istable: isChild ? 1 : 0,
    issingle: 0,
    is_submittable: submittable ? 1 : 0,
    custom: 0,
    title_field: titleField,
    search_fields: searchFields.join(','),
  }
}

/** A DocType in the shape of Frappe's metadata (erp-semantics.md §2): what its clients build forms and menus from. */
export function doctypeMeta(
  context: Context,
  definition: DocTypeDefinition,
): Readonly<Record<string, unknown>> {
  const { services } = context
  const { doctype, isChild, listFields, description } = definition
  const inList = new Set(listFields)
  const filling = waitingFields(services.unfilled.now, definition)
  return {
    ...doctypeRow(definition),
    ...(description === undefined ? {} : { description }),
    autoname: autoname(definition),
    sort_field: 'creation',
    sort_order: 'DESC',
    ...(filling.length === 0 ? {} : { filling }),
    fields: publicFields(definition).map((field, index) => ({
      ...metaField(field, {
        isListed: inList.has(field.name),
        fetchFrom: fetchText(services.knownRegistry(context), field, definition),
      }),
      idx: index + 1,
      parent: doctype,
      parentfield: 'fields',
      parenttype: META_DOCTYPE,
      doctype: 'DocField',
    })),
    permissions: isChild ? [] : permissionsOf(services, definition),
  }
}

const AUTONAME: Readonly<Record<string, (naming: Record<string, string>) => string>> = {
  series: ({ pattern }) => pattern!,
  format: ({ pattern }) => `format:${pattern}`,
  field: ({ field }) => `field:${field}`,
  prompt: () => 'Prompt',
  autoincrement: () => 'autoincrement',
  uuid: () => 'UUID',
}

function autoname({ naming, isChild }: DocTypeDefinition): string {
  return isChild ? 'hash' : AUTONAME[naming.kind]!(naming as unknown as Record<string, string>)
}

function metaField(
  field: Field,
  { isListed, fetchFrom }: { readonly isListed: boolean; readonly fetchFrom: string | undefined },
): Readonly<Record<string, unknown>> {
  const { fieldtype, options } = frappeName(field.type)
  const given = optionsOf(field) ?? options
  const { inList, secret } = fieldType(field.type)
  return {
    fieldname: field.name,
    label: field.label,
    fieldtype,
    ...(given === undefined ? {} : { options: given }),
    reqd: flag(field.required),
    unique: flag(field.unique),
    read_only: flag(field.readOnly),
    hidden: flag(field.hidden),
    set_only_once: flag(field.createOnly),
    allow_on_submit: flag(field.allowOnSubmit),
    no_copy: flag(field.noCopy),
    search_index: flag(field.filterable),
    in_standard_filter: flag(field.filterable),
    in_list_view: flag(isListed && inList && !secret && !field.hidden),
    ...(field.defaultValue === undefined ? {} : { default: textOf(field.defaultValue) }),
    ...(field.description === undefined ? {} : { description: field.description }),
    ...(field.length === undefined ? {} : { length: field.length }),
    ...(field.scale === undefined ? {} : { precision: String(field.scale) }),
    ...(field.min === 0 ? { non_negative: 1 } : {}),
    ...(fetchFrom === undefined ? {} : { fetch_from: fetchFrom }),
  }
}

function optionsOf({ options, link, linkFrom, child, currencyField }: Field): string | undefined {
  return options?.join('\n') ?? link ?? linkFrom ?? child?.name ?? currencyField
}

/** One line for each role that may do anything: `{role, permlevel, read: 1, …}`. */
function permissionsOf(
  { roles, grants }: Context['services'],
  definition: DocTypeDefinition,
): readonly Readonly<Record<string, unknown>>[] {
  const granted = grants(definition)
  return Object.keys(roles.roles).flatMap((role) => {
    const rights = [...RIGHTS].filter(([, action]) => granted.rolesFor(action).includes(role))
    if (rights.length === 0) return []
    return [
      { role, permlevel: 0, ...Object.fromEntries(rights.map(([name]) => [name, 1] as const)) },
    ]
  })
}

function textOf(value: string | number | boolean): string {
  return typeof value === 'boolean' ? String(flag(value)) : String(value)
}

function flag(value: boolean): 0 | 1 {
  return value ? 1 : 0
}

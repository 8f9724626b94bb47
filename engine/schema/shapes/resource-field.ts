import type { Registry } from '../../definition/model/registry.ts'
import type { Field } from '../../fields/field.ts'
import type { Operator } from '../../fields/field-type.ts'
import { fieldType } from '../../fields/index.ts'
import { type HasFields, isPublic, publicFields } from '../../fields/public-fields.ts'
import { filterOperators } from './openapi-filters.ts'
import { type TellExpression, tellExpressions } from './told-expression.ts'

/** Field in the list of resources (contract §3, Catalogue entry). */
export interface CatalogueField {
  readonly name: string
  readonly type: string
  readonly filterable: boolean
  readonly createOnly: boolean
}

/** Facts a client needs to show, filter and fill a field; what does not apply is left out. */
export interface ResourceField extends CatalogueField {
  readonly label: string
  readonly description?: string
  readonly required: boolean
  readonly readOnly: boolean
  readonly unique: boolean
  readonly hidden: boolean
  /** Filter operators; none on what no list filters by, such as long texts. */
  readonly operators: readonly Operator[]
  readonly widget: string
  /** Whether lists that name no fields show it. */
  readonly in_list: boolean
  readonly allow_on_submit?: boolean
  /** Values of a select; of a link or a table the DocType of its records or rows. */
  readonly options?: readonly FieldOption[] | string
  readonly default?: string | number | boolean
  /** Expression evaluated on create when nothing was sent. */
  readonly default_expression?: string
  /** Slug of the resource a link points to. */
  readonly resource?: string
  /** Table of that resource whose rows are meant. */
  readonly resource_table?: string
  /** The field beside it that names the DocType a dynamic link points to. */
  readonly resource_from?: string
  /** Fields of the rows of a table. */
  readonly fields?: readonly ResourceField[]
  readonly min_rows?: number
  readonly max_rows?: number
  readonly min?: number
  readonly max?: number
  readonly length?: number
  readonly scale?: number
  readonly pattern?: string
  readonly currency_field?: string
  readonly fetch?: string
  readonly formula?: string
  readonly visible_when?: string
  readonly required_when?: string
  readonly section?: string
  readonly placeholder?: string
}

/** A value of a select, as people read it. */
export interface FieldOption {
  readonly value: string
  readonly label: string
  /** Name of its colour (`colors.yaml`); absent for gray. */
  readonly color?: string
}

/** Surroundings of a field of the catalogue. */
export interface FieldOwner {
  /** The DocType, table or action that has it. */
  readonly owner: HasFields
  /** Shows what its expressions say. */
  readonly tell: TellExpression
}

/** Entry of the catalogue for a field of a record, of the rows of a table, or of the input of an action. */
export function resourceField(
  registry: Registry,
  field: Field,
  { owner, tell }: FieldOwner = ALONE,
): ResourceField {
  const type = fieldType(field.type)
  const target = field.link === undefined ? undefined : registry.byDoctype(field.link)
  return {
    name: field.name,
    type: field.type,
    label: field.label,
    filterable: field.filterable,
    createOnly: field.createOnly,
    required: field.required,
    readOnly: field.readOnly,
    unique: field.unique,
    hidden: field.hidden,
    operators: filterOperators(field),
    widget: type.widget,
    in_list: type.inList && !type.secret,
    ...known({
      description: field.description,
      allow_on_submit: field.allowOnSubmit || undefined,
      options: field.options?.map(optionOf) ?? field.link ?? field.child?.name,
      default: field.defaultValue,
      default_expression: field.defaultValue === undefined ? tell(field.default) : undefined,
      resource: target?.slug,
      resource_table: field.linkTable,
      resource_from: field.linkFrom,
      fields:
        field.child &&
        publicFields(field.child).map((column) =>
          resourceField(registry, column, { owner: field.child!, tell }),
        ),
      min_rows: field.child?.minRows,
      max_rows: field.child?.maxRows,
      min: field.min,
      max: field.max,
      length: field.length,
      scale: field.scale,
      pattern: field.pattern,
      currency_field: field.currencyField,
      fetch: fetchText(registry, field, owner),
      formula: tell(field.formula),
      visible_when: tell(field.visibleWhen),
      required_when: tell(field.requiredWhen),
      section: field.section,
      placeholder: field.placeholder,
    }),
  }
}

function optionOf(value: string): FieldOption {
  return { value, label: value }
}

const ALONE: FieldOwner = { owner: { fields: [] }, tell: tellExpressions({ fields: [] }) }

/** Fields of a DocType as the catalogue describes them. */
export function ownerOf(owner: HasFields): FieldOwner {
  return { owner, tell: tellExpressions(owner) }
}

/** What a field is copied from, where callers know both the link and what stands behind it. */
export function fetchText(
  registry: Registry,
  { fetch }: Field,
  { fields }: HasFields,
): string | undefined {
  if (!fetch) return undefined
  const link = fields.find(({ name }) => name === fetch.link)
  const target = link?.link === undefined ? undefined : registry.byDoctype(link.link)
  const copied = target && registry.fieldOf(target, fetch.field)
  const isTold = [link, copied].every((one) => !one || isPublic(one))
  return isTold ? `${fetch.link}.${fetch.field}` : undefined
}

type Known<T> = { readonly [K in keyof T]?: Exclude<T[K], undefined> }

/** The object without the keys that are undefined. */
export function known<T extends object>(values: T): Known<T> {
  return Object.fromEntries(
    Object.entries(values).filter(([, value]) => value !== undefined),
  ) as Known<T>
}

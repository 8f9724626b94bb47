import type { ResourceAction } from '../shapes/catalog-actions.ts'
import type { ResourceField } from '../shapes/resource-field.ts'
import type { ResourceDetail } from './catalog.ts'

/** Words and colours by which a description is told. */
export interface Telling {
  /** An English text in the reader's language; one that has no translation stays as it is. */
  readonly label: (text: string) => string
  /** Name of the colour of a value; undefined for gray. */
  readonly color: (value: string) => string | undefined
}

/** The description of a resource in the words of its reader: labels, descriptions, options, actions. */
export function toldDetail(detail: ResourceDetail, telling: Telling): ResourceDetail {
  const { label } = telling
  return {
    ...detail,
    label: label(detail.label),
    label_plural: label(detail.label_plural),
    ...(detail.description === undefined ? {} : { description: label(detail.description) }),
    actions: detail.actions.map((action) => toldAction(action, telling)),
    fields: detail.fields.map((field) => toldField(field, telling)),
  }
}

function toldAction(action: ResourceAction, telling: Telling): ResourceAction {
  return {
    ...texts(action, telling),
    input: action.input.map((field) => toldField(field, telling)),
  }
}

/** A field in the words of its reader. */
export function toldField(field: ResourceField, telling: Telling): ResourceField {
  const { options, fields, section, placeholder } = field
  const { label, color } = telling
  return {
    ...texts(field, telling),
    ...(section === undefined ? {} : { section: label(section) }),
    ...(placeholder === undefined ? {} : { placeholder: label(placeholder) }),
    ...(Array.isArray(options) ? { options: options.map(toldOption) } : {}),
    ...(fields === undefined ? {} : { fields: fields.map((one) => toldField(one, telling)) }),
  }

  function toldOption({ value }: { readonly value: string }) {
    const of = color(value)
    return { value, label: label(value), ...(of === undefined ? {} : { color: of }) }
  }
}

function texts<T extends { readonly label: string; readonly description?: string }>(
  one: T,
  { label }: Telling,
): T {
  const described = one.description === undefined ? {} : { description: label(one.description) }
  return { ...one, label: label(one.label), ...described }
}

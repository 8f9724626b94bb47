import type { Detail } from '../base/errors.ts'
import type { Field } from './field.ts'

/** What has fields: a DocType, or the rows of a table. */
export interface HasFields {
  readonly fields: readonly Field[]
}

/**
 * Fields of a DocType or of a table's rows that there are for callers: all but internal ones. Whatever shows fields,
 * takes them or says their names asks here; what computes, stores and verifies them reads `fields` itself.
 */
export function publicFields({ fields }: HasFields): readonly Field[] {
  return fields.some(({ internal }) => internal) ? fields.filter(isPublic) : fields
}

/** Whether callers know the field: in answers, bodies, filters, events, descriptions and the messages of errors. */
export function isPublic({ internal }: Pick<Field, 'internal'>): boolean {
  return !internal
}

/** The field of that name that callers know. */
export function publicField({ fields }: HasFields, name: string): Field | undefined {
  return fields.find((field) => field.name === name && isPublic(field))
}

const PLACE = /^(\w+)((?:\[\d+\])?)(?:\.(\w+))?$/

/**
 * The place that a problem is about (`rate`, `items.rate`, `items[0].rate`) as callers may hear of it: instead of an
 * internal column its row, instead of an internal table the one whose rows it is made of, instead of another internal
 * field the record itself, whose place is the empty text.
 */
export function publicPlace(owner: HasFields, place: string): string {
  const [, name, row = '', column] = PLACE.exec(place) ?? []
  const field = owner.fields.find((one) => one.name === name)
  if (!field) return place
  if (!isPublic(field)) return sourceOf(owner, field)
  const inside = field.child?.fields.find((one) => one.name === column)
  return inside && !isPublic(inside) ? field.name + row : place
}

/** The public table whose rows an internal one is made of; the empty text where there is none. */
function sourceOf(owner: HasFields, { rows }: Field): string {
  const source = rows?.find(({ each }) => publicField(owner, each))
  return source ? source.each : ''
}

/** What is wrong with a record, at places that callers know. */
export function publicDetails(owner: HasFields, details: readonly Detail[]): readonly Detail[] {
  return details.map((detail) => ({ ...detail, field: publicPlace(owner, detail.field) }))
}

/** Whether callers know the place that a problem or a link is at. */
export function isPublicPlace(owner: HasFields, place: string): boolean {
  return publicPlace(owner, place) === place
}

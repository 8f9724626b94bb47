import type { DocTypeDefinition } from '../../engine/definition/model/definition.ts'
import { isKeptByEngine } from '../../engine/definition/model/kept.ts'
import type { Field } from '../../engine/fields/field.ts'
import { fieldType } from '../../engine/fields/index.ts'
import { publicFields } from '../../engine/fields/public-fields.ts'
import { isWritable, mustBeSent } from '../../engine/schema/shapes/json-schema.ts'

/** Body of a request. */
export type Body = Record<string, unknown>

/** Characters that a marker may have. */
const MARKER_LENGTH = 24

/** Whether clients write the records, and nothing of the workspace itself hangs on them. */
export function canBeLoaded(definition: DocTypeDefinition): boolean {
  return !isKeptByEngine(definition) && definition.serves === undefined && !definition.isChild
}

/** Fields that can hold a text of ours: no choice, no pattern, no name of something else; the first ones are the best. */
export function freeTexts(definition: DocTypeDefinition): readonly Field[] {
  const kinds = new Set(definition.fields.map(({ linkFrom }) => linkFrom))
  const rules = JSON.stringify(definition.behaviour)
  const rank = (field: Field): number => {
    if (isName(definition, field)) return 0
    if (field.name === definition.titleField) return 1
    // What a rule reads may be refused.
    return rules.includes(field.name) ? 3 : 2
  }
  return publicFields(definition)
    .filter((field) => isWritable(field, 'create') && isFreeText(field) && !kinds.has(field.name))
    .toSorted((a, b) => rank(a) - rank(b))
}

function isFreeText(field: Field): boolean {
  const type = fieldType(field.type)
  const { pattern, format } = type.schema(field)
  return (
    type.kind === 'str' &&
    type.inList &&
    !type.secret &&
    field.filterable &&
    type.operators.includes('eq') &&
    field.options === undefined &&
    field.link === undefined &&
    field.linkFrom === undefined &&
    field.pattern === undefined &&
    pattern === undefined &&
    format === undefined &&
    field.fetch === undefined &&
    (field.length ?? MARKER_LENGTH) >= MARKER_LENGTH
  )
}

/** Whether no two records may have the same value of it. */
export function isName({ naming, behaviour }: DocTypeDefinition, field: Field): boolean {
  return (
    field.unique ||
    (naming.kind === 'field' && naming.field === field.name) ||
    (behaviour.unique ?? []).some(({ fields }) => fields.length === 1 && fields[0] === field.name)
  )
}

/** What a client would send to make a record like one that is there; what must differ is left out. */
export function bodyLike(definition: DocTypeDefinition, record: Body): Body {
  return likeness(
    publicFields(definition).filter((field) => !isName(definition, field)),
    record,
  )
}

function likeness(fields: readonly Field[], record: Body): Body {
  const body: Body = {}
  for (const field of fields) {
    const value = record[field.name]
    if (value === null || value === undefined || value === '') continue
    if (!isWritable(field, 'create') || field.noCopy || fieldType(field.type).secret) continue
    if (field.child === undefined) body[field.name] = value
    else if (Array.isArray(value))
      body[field.name] = value.map((row: Body) => likeness(publicFields(field.child!), row))
  }
  return body
}

/** Name of a record of a DocType that a link may take; undefined where there is none. */
export type NameOf = (doctype: string) => Promise<string | undefined>

/** The least that a client must send. */
export async function leastBody(fields: readonly Field[], nameOf: NameOf): Promise<Body> {
  const body: Body = {}
  for (const field of fields) {
    const isNeeded = field.child ? field.child.minRows > 0 && !field.readOnly : mustBeSent(field)
    if (isNeeded) await addValue(body, field, nameOf)
  }
  return body
}

/** Gives a field some value that fits it, where there is one. */
export async function addValue(body: Body, field: Field, nameOf: NameOf): Promise<void> {
  if (field.child) {
    body[field.name] = [await leastBody(publicFields(field.child), nameOf)]
    return
  }
  const target = field.link ?? body[field.linkFrom ?? '']
  if (typeof target === 'string') {
    const name = field.linkTable === undefined ? await nameOf(target) : undefined
    if (name !== undefined) body[field.name] = name
  } else if (field.linkFrom === undefined)
    body[field.name] = fieldType(field.type).example(field, 1)
}

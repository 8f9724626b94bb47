import type { DocTypeDefinition } from '../../definition/model/definition.ts'
import type { Registry } from '../../definition/model/registry.ts'
import type { Field } from '../../fields/field.ts'
import { type HasFields, publicFields } from '../../fields/public-fields.ts'
import { callableActions } from '../shapes/catalog-actions.ts'
import { isWritable, mustBeSent } from '../shapes/json-schema.ts'

/** Field → what may be sent for it; of a table the same of its rows. */
export interface WriteForm {
  readonly [field: string]: string | WriteForm
}

/** Most characters of the form, so that a model can read it in about 1,500 tokens. */
const MOST = 6_000

/** Most characters of the values of a select that are told. */
const MOST_OPTIONS = 120

/**
 * Fields that a caller may send, in the fewest words, for a model that is about to write:
 *
 *     {"customer": "link customers, required", "items": {"item_code": "link items, required", "qty": "float"}}
 *
 * Where it has actions, `_actions` names them with what each takes. Where that is too long, what the workspace fills by itself is left out, then the rarer fields from the end; `…` says so.
 */
export function writeForm(registry: Registry, definition: DocTypeDefinition): WriteForm {
  const telling: Telling = { registry, isOnly: () => true }
  const whole = formOf(definition, telling)
  const named = definition.naming.kind === 'prompt' ? { name: 'data, required' } : {}
  const actions = actionsOf(registry, definition)
  const all = { ...named, ...whole, ...actions }
  if (sizeOf(all) <= MOST) return all
  const less = { ...named, ...formOf(definition, { registry, isOnly: isFirstHand }), ...actions }
  return shortened(less)
}

/** The actions that a caller may run, and their input: `{"_actions": {"close": {}}}`. */
function actionsOf(registry: Registry, definition: DocTypeDefinition): WriteForm {
  const actions = callableActions(definition)
  if (actions.length === 0) return {}
  const telling = { registry, isOnly: () => true }
  const forms = actions.map(([name, { input = [] }]): [string, WriteForm] => [
    name,
    formOf({ fields: input }, telling),
  ])
  return { _actions: Object.fromEntries(forms) }
}

interface Telling {
  readonly registry: Registry
  readonly isOnly: (field: Field) => boolean
}

function formOf(owner: HasFields, telling: Telling): WriteForm {
  return Object.fromEntries(
    publicFields(owner)
      .filter((field) => isWritable(field, 'create') && telling.isOnly(field))
      .map((field) => [
        field.name,
        field.child ? formOf(field.child, telling) : told(field, telling),
      ]),
  )
}

/** Whether a field has its value from whoever sends it, and not from somewhere else unless it is sent. */
function isFirstHand(field: Field): boolean {
  const { required, fetch, lookup, defaultFrom, rows, call, formula } = field
  if (required || field.options) return true
  return [fetch, lookup, defaultFrom, rows, call, formula].every((source) => source === undefined)
}

function told(field: Field, { registry }: Telling): string {
  const { type, link, options, createOnly, defaultValue } = field
  const slug = link === undefined ? undefined : registry.byDoctype(link)?.slug
  const values = options?.join('|')
  const what =
    values === undefined
      ? `${type}${slug === undefined ? '' : ` ${slug}`}`
      : values.length > MOST_OPTIONS
        ? `${values.slice(0, MOST_OPTIONS)}…`
        : values
  return [
    what,
    ...(mustBeSent(field) ? ['required'] : []),
    ...(createOnly ? ['on create'] : []),
    ...(defaultValue === undefined ? [] : [`else ${defaultValue}`]),
  ].join(', ')
}

/** The form without its last fields that need not be sent. */
function shortened(form: WriteForm): WriteForm {
  const entries = Object.entries(form)
  let size = sizeOf(form) + 40
  const kept = entries.toReversed().filter(([name, what]) => {
    if (size <= MOST || typeof what !== 'string' || what.includes('required')) return true
    size -= name.length + what.length + 6
    return false
  })
  return { ...Object.fromEntries(kept.toReversed()), '…': 'more fields: GET without for=write' }
}

function sizeOf(form: WriteForm): number {
  return JSON.stringify(form).length
}

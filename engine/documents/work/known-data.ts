import { knownTo } from '../../access/known-to.ts'
import type { DocTypeDefinition } from '../../definition/model/definition.ts'
import type { LoggedEvent } from '../../events/log.ts'
import type { Field } from '../../fields/field.ts'
import type { Context } from './context.ts'

type Values = Record<string, unknown>

/**
 * The data of an event as the caller may read it: without fields that they may not read (`permissions.fields`). The log
 * keeps it whole; who reads it, or is sent it, gets it by what they may now.
 */
export function knownData(
  context: Pick<Context, 'actor' | 'grants' | 'services'>,
  { resource, data }: Pick<LoggedEvent, 'resource' | 'data'>,
): string {
  const definition = context.services.registry.bySlug(resource)
  const known = definition && knownTo(context, definition)
  if (!known || known === definition || !withholds(known)) return data
  return JSON.stringify(withoutWithheld(known.fields, JSON.parse(data) as Values))
}

function withholds({ fields }: Pick<DocTypeDefinition, 'fields'>): boolean {
  return fields.some(({ withheld, child }) => withheld || (child && withholds(child)))
}

function withoutWithheld(fields: readonly Field[], values: Values): Values {
  const left = { ...values }
  for (const { name, withheld, child } of fields) {
    if (withheld) delete left[name]
    const rows = left[name]
    if (child && Array.isArray(rows))
      left[name] = rows.map((row: Values) => withoutWithheld(child.fields, row))
  }
  return left
}

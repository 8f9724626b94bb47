import type { Field, Find, Made } from '../../fields/field.ts'
import { fieldType } from '../../fields/index.ts'
import { isPublic } from '../../fields/public-fields.ts'
import { ENGINE_FIELD } from '../model/engine-field.ts'
import { madeName } from '../model/made-name.ts'
import { COPIED } from '../model/named-fields.ts'
import { compact } from '../normalise/compact.ts'
import { isLink } from './levels.ts'

/** What a made column is made from. */
export interface Source {
  /** Link, find or made column it is read behind. */
  readonly of: string
  /** Path of that, as expressions say it. */
  readonly path: string
  /** Field over there. */
  readonly origin: Field
  /** Find at the start of the path, with the word before the field where its rows have one: `document.`. */
  readonly find?: { readonly declared: Find; readonly prefix: string }
  /** Find at the start of the path of a link that was found. */
  readonly behind?: Find
  /** Former name of the link, where it was renamed. */
  readonly renamedFrom?: string | undefined
}

/** Whether a column can keep the value of a field: no table, no secret, nothing that expressions cannot read. */
export function canBeKept(origin: Field): boolean {
  return COPIED.fits(origin) && fieldType(origin.type).kind !== 'json'
}

/** The column that keeps the value of a field of another record, filled by a fetch or by the find. */
export function madeField({ of, path, origin, find, behind, renamedFrom }: Source): Field {
  const name = madeName(of, origin.name)
  const former = madeName(renamedFrom ?? of, origin.renamedFrom ?? origin.name)
  const whole = `${path}.${origin.name}`
  const found = find?.declared ?? behind
  const made: Made = compact<Made>({
    path: whole,
    of,
    field: origin.name,
    names: isLink(origin) ? origin.link : undefined,
    untold: found?.name ?? (isPublic(origin) ? undefined : origin.name),
    by: [],
  })
  const { type, options, scale } = origin
  const isNamed = ['doctype', 'field'].includes(fieldType(type).optionsMean)
  return compact<Field>({
    ...ENGINE_FIELD,
    name,
    // A link would be indexed, and keep what it names from being deleted: the copy only says what another link says.
    type: isNamed ? 'data' : type,
    label: whole,
    internal: true,
    made,
    options: isNamed ? undefined : options,
    scale,
    renew: found?.renew,
    fetch: find ? undefined : fetchOf(of, origin.name, behind),
    lookup: find && lookupOf(find.declared, find.prefix + origin.name),
    renamedFrom: former === name ? undefined : former,
  } as Field)
}

function fetchOf(link: string, field: string, behind: Find | undefined): Field['fetch'] {
  const fetch = { link, field, when: 'draft' } as const
  return behind ? { ...fetch, at: behind.at, find: behind.name } : fetch
}

function lookupOf({ name, renew: _, ...find }: Find, value: string): NonNullable<Field['lookup']> {
  return { ...find, find: name, value, when: 'always' }
}

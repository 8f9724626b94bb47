import { likeness } from '../../base/suggest.ts'
import type { DocTypeDefinition } from '../../definition/model/definition.ts'
import { fieldType } from '../../fields/index.ts'
import { type Named, type NearQuery, recordsNear } from '../../storage/records/records-near.ts'
import { readsAll } from '../rights/door.ts'
import type { Work } from '../work/work.ts'

/** Records that one hint names, links of one request that get one, and characters that a name is compared by. */
const MOST_NAMED = 3
const MOST_HINTS = 10
const LONGEST = 60

/** What to add to the message about a link that names nothing: `; did you mean CUST-00001 (Acme)?`, or ''. */
type Hints = (doctype: string, name: string) => Promise<string>

/**
 * Hints for the broken links of one request. Callers who may not read every record of a DocType get none: what is
 * like a name would tell of records that are hidden from them, by being there or by taking the place of others. What
 * effects link to is no slip of the caller.
 */
export function hintsOf({ tx, context, depth }: Work): Hints {
  const known = new Map<string, string>()
  return async (doctype, name) => {
    const definition = context.services.registry.byDoctype(doctype)
    if (depth > 0 || !definition || name.length > LONGEST || !readsAll(context, definition))
      return ''
    const key = `${doctype}\0${name}`
    const told = known.get(key)
    if (told !== undefined || known.size === MOST_HINTS) return told ?? ''
    const query = nearQuery(definition, name)
    const hint = hintOf(name, await recordsNear(tx, query))
    known.set(key, hint)
    return hint
  }
}

function nearQuery({ table, titleField, fields }: DocTypeDefinition, text: string): NearQuery {
  const field = fields.find(({ name }) => name === titleField)
  const type = field && fieldType(field.type)
  const isTitle = field && type?.kind === 'str' && type.storage === 'text' && !type.secret
  const isIndexed = isTitle && (field.filterable || field.unique)
  return {
    table,
    indexed: isIndexed ? ['name', field.name] : ['name'],
    title: isTitle ? field.name : 'name',
    text,
  }
}

function hintOf(text: string, candidates: readonly Named[]): string {
  const like = candidates.flatMap((record) => {
    const distances = [record.name, record.title ?? ''].flatMap(
      (candidate) => likeness(text, candidate.slice(0, LONGEST)) ?? [],
    )
    return distances.length === 0 ? [] : [{ record, distance: Math.min(...distances) }]
  })
  const nearest = like.sort(
    (one, other) => one.distance - other.distance || (one.record.name < other.record.name ? -1 : 1),
  )
  const named = nearest.slice(0, MOST_NAMED).map(({ record }) => shown(record))
  return named.length === 0 ? '' : `; did you mean ${named.join(' or ')}?`
}

function shown({ name, title }: Named): string {
  return title === null || title === '' || title === name
    ? name
    : `${name} (${title.slice(0, LONGEST).toWellFormed()})`
}

import type { Detail, Suggestion } from '../../base/errors.ts'
import { likeness } from '../../base/suggest.ts'
import type { DocTypeDefinition } from '../../definition/model/definition.ts'
import { fieldType } from '../../fields/index.ts'
import {
  firstWithin,
  type Named,
  type NearQuery,
  recordsNear,
} from '../../storage/records/records-near.ts'
import type { OutgoingLink } from '../record/outgoing-links.ts'
import { may, readable } from '../rights/door.ts'
import type { Work } from '../work/work.ts'

/** Records that one hint names, links of one request that get one, and characters that a name is compared by. */
const MOST_NAMED = 3
const MOST_HINTS = 10
const LONGEST = 60

/** Adds to the problem of a link that names nothing which records are like it, as data and in words, if there are any. */
type Hints = (problem: Detail, link: Pick<OutgoingLink, 'doctype' | 'name'>) => Promise<Detail>

/**
 * Hints for the broken links of one request. Callers who may read only some records of a DocType are told of those
 * alone, whatever else there is: nothing of a hidden record decides what they are answered. What effects link to is no
 * slip of the caller.
 */
export function hintsOf({ tx, context, depth }: Work): Hints {
  const known = new Map<string, readonly Suggestion[]>()
  const own = new Map<string, readonly Named[]>()

  async function suggestions(doctype: string, name: string): Promise<readonly Suggestion[]> {
    const definition = context.services.registry.byDoctype(doctype)
    if (depth > 0 || !definition || name.length > LONGEST || !may(context, definition, 'read'))
      return []
    const key = `${doctype}\0${name}`
    const told = known.get(key)
    if (told !== undefined || known.size === MOST_HINTS) return told ?? []
    const nearest = nearestOf(name, await candidates(definition, name))
    known.set(key, nearest)
    return nearest
  }

  async function candidates(
    definition: DocTypeDefinition,
    name: string,
  ): Promise<readonly Named[]> {
    const query = nearQuery(definition, name)
    const limit = readable(context, definition)
    if (!limit) return recordsNear(tx, query)
    const { doctype } = definition
    const found = own.get(doctype) ?? (await firstWithin(tx, query, limit))
    own.set(doctype, found)
    return found
  }

  return async (problem, { doctype, name }) => {
    const found = await suggestions(doctype, name)
    if (found.length === 0) return problem
    const message = `${problem.message}; did you mean ${found.map(shown).join(' or ')}?`
    return { ...problem, message, suggestions: found }
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

function nearestOf(text: string, candidates: readonly Named[]): readonly Suggestion[] {
  const like = candidates.flatMap((record) => {
    const distances = [record.name, record.title ?? ''].flatMap(
      (candidate) => likeness(text, candidate.slice(0, LONGEST)) ?? [],
    )
    return distances.length === 0 ? [] : [{ record, distance: Math.min(...distances) }]
  })
  const nearest = like.sort(
    (one, other) => one.distance - other.distance || (one.record.name < other.record.name ? -1 : 1),
  )
  return nearest
    .slice(0, MOST_NAMED)
    .map(({ record: { name, title } }) => ({ id: name, title: title || name }))
}

function shown({ id, title }: Suggestion): string {
  return title === id ? id : `${id} (${title.slice(0, LONGEST).toWellFormed()})`
}

import type { DocTypeDefinition } from '../model/definition.ts'
import { type FieldScope, scopeOf } from '../model/named-fields.ts'
import { standardFields } from '../model/standard-fields.ts'
import type { Vocabulary } from '../model/vocabulary.ts'
import { isMap, type RawDocType } from '../yaml/source.ts'
import { createFieldReads, type Drafts, type FieldReads } from './fields-read.ts'

/** Definition beside the YAML it was made of. */
export interface Draft {
  readonly raw: RawDocType
  readonly definition: DocTypeDefinition
}

/** All DocTypes of a load; one whose file could not be read is known by its name only. */
export interface World {
  readonly drafts: ReadonlyMap<string, Draft>
  readonly names: ReadonlySet<string>
  readonly vocabulary: Vocabulary
  readonly reads: FieldReads
  /** The fields of a DocType, those that every record has among them. */
  scopeOf(draft: Draft): FieldScope
}

export function createWorld({
  drafts,
  names,
  vocabulary,
}: Pick<World, 'drafts' | 'names' | 'vocabulary'>): World {
  const scopes = new Map<Draft, FieldScope>()
  function scopeIn(draft: Draft): FieldScope {
    const { definition, raw } = draft
    const known = scopes.get(draft)
    if (known) return known
    const fields = [...definition.fields, ...standardFields(definition)]
    const scope = scopeOf(fields, isMap(raw.data.fields) ? raw.data.fields : {})
    scopes.set(draft, scope)
    return scope
  }
  return {
    drafts,
    names,
    vocabulary,
    reads: createFieldReads(draftsIn(drafts)),
    scopeOf: scopeIn,
  }
}

/** Looks DocTypes up by their names, for `createFieldReads`. */
export function draftsIn(drafts: World['drafts']): Drafts {
  return { definitionOf: (doctype) => drafts.get(doctype)?.definition }
}

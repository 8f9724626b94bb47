import type { Naming } from '../../definition/model/definition.ts'
import { REVERSES, VOUCHER_NO, VOUCHER_TYPE } from '../../definition/model/ledger-fields.ts'
import { parseNamingPattern } from '../../definition/model/naming-pattern.ts'
import { isStandardField } from '../../definition/model/standard-fields.ts'
import { isPublic } from '../../fields/public-fields.ts'
import { type Doc, valueIn } from '../../storage/database/document.ts'
import { type Cell, declaredAt, shownValue, storedValue } from './cell.ts'
import type { Change } from './history.ts'
import type { Input } from './inputs.ts'
import type { Listing } from './listing.ts'
import type { Scene } from './scene.ts'
import { type Setter, settersOf } from './setters.ts'
import type { Source } from './source.ts'

/** Who gave a value, as an input. */
function actorInput(change: Change | undefined): readonly Input[] {
  if (!change) return []
  return [{ kind: 'value', field: 'actor', label: 'Entered by', value: change.actor }]
}

/** A field that every record has; undefined for any other. */
export async function ofStandard(scene: Scene, cell: Cell): Promise<Source | undefined> {
  const { doc, field, table } = cell
  if (table || !isStandardField(field.name)) return undefined
  if (field.name === 'name' || field.name === 'id') return ofName(scene)
  const created: Change = { at: doc.created, actor: doc.owner, kind: 'created' }
  const changed: Change = { at: doc.modified, actor: doc.modified_by, kind: 'updated' }
  const changes: Readonly<Record<string, Change | undefined>> = {
    created,
    owner: created,
    amended_from: created,
    modified: changed,
    modified_by: changed,
    docstatus: await scene.history.since(cell),
  }
  const change = changes[field.name]
  return { how: 'entered', at: change?.at, inputs: actorInput(change) }
}

/** How a record was named, where it may be by a series or by a field. */
function namingMeant(naming: Naming, doc: Doc): Naming {
  const instead = naming.kind === 'series' ? naming.instead : undefined
  return instead && valueIn(doc, instead.when) ? { kind: 'field', field: instead.field } : naming
}

/** The name of a record: its series, or the fields that it is made of. */
function ofName({ parts, doc }: Scene): Source {
  const { definition } = parts
  const naming = namingMeant(definition.naming, doc)
  const said = (text: string) => ({ definition, path: ['naming'], text })
  const change: Change = { at: doc.created, actor: doc.owner, kind: 'created' }
  if (naming.kind === 'prompt')
    return { how: 'entered', said: said(naming.kind), at: doc.created, inputs: actorInput(change) }
  const names =
    naming.kind === 'field'
      ? [naming.field]
      : 'pattern' in naming
        ? parseNamingPattern(naming.pattern).flatMap((token) =>
            token.kind === 'field' ? [token.field] : [],
          )
        : []
  const inputs = names.flatMap((name): Input[] => {
    const field = definition.fields.find((one) => one.name === name)
    return field && isPublic(field) ? [{ kind: 'cell', cell: { doc, field } }] : []
  })
  const text =
    naming.kind === 'field'
      ? `field:${naming.field}`
      : 'pattern' in naming
        ? naming.pattern
        : naming.kind
  return { how: 'series', said: said(text), at: doc.created, inputs }
}

/** A row of a ledger: the step that posted it, and the document whose step it is, or the row that it takes back. */
export function ofLedger(scene: Scene, cell: Cell): Source | undefined {
  const { definition } = scene.parts
  const { ledger } = definition.behaviour
  if (!ledger || cell.table) return undefined
  const { doc, field, ...rest } = cell
  const at = doc.created
  const value = shownValue(field, storedValue(cell))
  const declared = definition.fields.filter(({ name }) => [VOUCHER_NO, REVERSES].includes(name))
  const inputs = declared.flatMap((one): Input[] =>
    valueIn(doc, one.name) === null || one === field
      ? []
      : [{ kind: 'cell', cell: { ...rest, doc, field: one } }],
  )
  const [type, name] = [valueIn(doc, VOUCHER_TYPE), valueIn(doc, VOUCHER_NO)]
  const voucher = typeof type === 'string' ? scene.registry.byDoctype(type) : undefined
  const reversed = valueIn(doc, REVERSES)
  if (typeof reversed === 'string') {
    const listing: Listing = { kind: 'one', definition, name: reversed, value }
    return {
      how: 'fetch',
      said: { definition, path: ['ledger'], text: REVERSES },
      at,
      inputs,
      listing,
    }
  }
  if (!voucher || typeof name !== 'string') return undefined
  const listing: Listing = { kind: 'one', definition: voucher, name, value }
  const posts = settersOf(scene.registry, definition, field, undefined).filter(
    (setter) => setter.definition === voucher,
  )
  if (posts.length === 0) {
    const isCopied = ledger.copy?.includes(field.name)
    const path = isCopied ? ['ledger', 'copy'] : ['ledger']
    return {
      how: 'fetch',
      said: { definition, path, text: isPublic(field) ? field.name : '' },
      at,
      inputs,
      listing,
    }
  }
  const texts = [...new Set(posts.map(({ text }) => text))]
  const { path } = posts[0]!
  // Of several steps that may have posted it, each says its own.
  return {
    how: 'formula',
    said: { definition: voucher, path, text: texts.join(' | ') },
    at,
    inputs,
    listing,
  }
}

/** A value that a step or an event set; undefined where nobody but a caller can have. */
export async function ofSetter(scene: Scene, cell: Cell): Promise<Source | undefined> {
  const { field, table } = cell
  if (storedValue(cell) === null || field.child) return undefined
  const setters = settersOf(scene.registry, scene.parts.definition, field, table)
  if (setters.length === 0) return undefined
  const change = await scene.history.since(cell)
  const setter = chosen(setters, change, field.readOnly)
  if (!setter) return undefined
  const { definition, path, text, isNumber } = setter
  const how = isNumber ? 'series' : 'formula'
  return { how, said: { definition, path, text }, at: change?.at, inputs: [] }
}

/** The one of several steps that the history speaks for; of a field that callers may set, only such a one. */
function chosen(
  setters: readonly Setter[],
  change: Change | undefined,
  isReadOnly: boolean,
): Setter | undefined {
  const told = setters.filter(({ isOwn, at }) => isOwn && at === change?.kind)
  if (told.length > 0) return told[0]
  return isReadOnly && setters.length === 1 ? setters[0] : undefined
}

/** A value that somebody sent, or that nobody has. */
export async function ofEntry(scene: Scene, cell: Cell): Promise<Source> {
  const { definition } = scene.parts
  const change = await scene.history.since(cell)
  return {
    how: 'entered',
    said: { definition, path: declaredAt(cell), text: isPublic(cell.field) ? cell.field.name : '' },
    at: change?.at,
    inputs: actorInput(change),
  }
}

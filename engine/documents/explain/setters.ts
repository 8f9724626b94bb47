import type {
  Behaviour,
  CreatedRows,
  DocTypeDefinition,
  SetDeclaration,
} from '../../definition/model/definition.ts'
import type { Registry } from '../../definition/model/registry.ts'
import { namedFields } from '../../definition/model/registry.ts'
import { isMap } from '../../definition/yaml/source.ts'
import type { Field } from '../../fields/field.ts'
import { isPublic } from '../../fields/public-fields.ts'

/** Place of a step that sets a field, and what it sets it to. */
export interface Setter {
  readonly definition: DocTypeDefinition
  readonly path: readonly (string | number)[]
  readonly text: string
  /** Change of its own record at which it is done: `submitted`, the name of an event, or that of an action. */
  readonly at: string
  /** Whether the step is one of the record that it sets. */
  readonly isOwn: boolean
  /** Whether it gives the next number of a series, of which `text` is the pattern. */
  readonly isNumber?: boolean
}

/** Every step and event that sets a field of a DocType, or a column of a table of it, its own ones first. */
export function settersOf(
  registry: Registry,
  target: DocTypeDefinition,
  field: Field,
  table: Field | undefined,
): readonly Setter[] {
  const wanted: Wanted = { target, field: field.name, table: table?.name }
  const others = registry.all.filter((definition) => definition !== target)
  return [target, ...others].flatMap((definition) => settersIn(registry, definition, wanted))
}

interface Wanted {
  readonly target: DocTypeDefinition
  readonly field: string
  readonly table: string | undefined
}

function settersIn(registry: Registry, definition: DocTypeDefinition, wanted: Wanted): Setter[] {
  const { effects, actions = {}, events = {} } = definition.behaviour
  const steps = [
    { steps: effects?.submit ?? [], path: ['effects', 'submit'], at: 'submitted' },
    ...Object.entries(actions).map(([name, action]) => ({
      steps: action.steps ?? [],
      path: ['actions', name, 'steps'],
      at: name,
    })),
  ]
  const found = steps.flatMap((list) =>
    list.steps.flatMap((step, index) =>
      setsIn(step as Step, definition, wanted).map(
        ({ path, text, isNumber }): Setter => ({
          definition,
          path: [...list.path, index, ...path],
          text: withoutInternals(registry, definition, text),
          at: list.at,
          isOwn: definition === wanted.target,
          ...(isNumber ? { isNumber } : {}),
        }),
      ),
    ),
  )
  return [...found, ...eventSetters(registry, definition, events, wanted)]
}

function eventSetters(
  registry: Registry,
  definition: DocTypeDefinition,
  events: NonNullable<Behaviour['events']>,
  { target, field, table }: Wanted,
): Setter[] {
  if (definition !== target || table !== undefined) return []
  return Object.entries(events).flatMap(([name, { set }]) => {
    const text = set?.[field]
    if (text === undefined) return []
    const path = ['events', name, 'set', field]
    return [
      {
        definition,
        path,
        text: withoutInternals(registry, definition, text),
        at: name,
        isOwn: true,
      },
    ]
  })
}

/** A step as written; which keys it has says what it does. */
interface Step {
  readonly set?: SetDeclaration
  readonly rows?:
    | readonly { readonly set: SetDeclaration }[]
    | Readonly<Record<string, CreatedRows | readonly CreatedRows[]>>
  readonly post?: string
  readonly create?: string
  readonly update?: string
  readonly fill?: string
  readonly change?: string
  readonly number?: string
  readonly pattern?: string
}

interface SetText {
  readonly path: readonly (string | number)[]
  readonly text: string
  readonly isNumber?: boolean
}

function setsIn(
  { set, rows, post, create, update, fill, change, number, pattern }: Step,
  definition: DocTypeDefinition,
  { target, field, table }: Wanted,
): SetText[] {
  const { doctype } = target
  if (post !== undefined) {
    if (post !== doctype || !Array.isArray(rows)) return []
    return rows.flatMap((row, index) => textIn(row.set, field, ['rows', index, 'set']))
  }
  const of = create ?? update
  if (of !== undefined && of !== doctype) return []
  if (of === undefined && definition !== target) return []
  if (number !== undefined) {
    const isMeant = table === undefined && number === field
    return isMeant ? [{ path: ['pattern'], text: String(pattern), isNumber: true }] : []
  }
  const own = fill ?? change
  if (own !== undefined) return own === table ? textIn(set, field, ['set']) : []
  if (table === undefined) return textIn(set, field, ['set'])
  const ofTable = isMap(rows) ? rows[table] : undefined
  const lists = (Array.isArray(ofTable) ? ofTable : [ofTable]) as readonly (
    | CreatedRows
    | undefined
  )[]
  return lists.flatMap((one, index) => {
    const at = Array.isArray(ofTable) ? ['rows', table, index, 'set'] : ['rows', table, 'set']
    return textIn(one?.set, field, at)
  })
}

function textIn(
  set: SetDeclaration | undefined,
  field: string,
  path: readonly (string | number)[],
): SetText[] {
  const text = set?.[field]
  return text === undefined ? [] : [{ path: [...path, field], text: String(text) }]
}

/**
 * A text of a step without names that nobody may hear: those of the DocType's internal fields, and those that others
 * have as internal ones and none as another.
 */
export function withoutInternals(
  registry: Registry,
  definition: DocTypeDefinition,
  text: string,
): string {
  const unheard = registry.unheardNames()
  const own = new Set(namedFields(definition).flatMap((one) => (isPublic(one) ? [] : [one.name])))
  return text.replaceAll(/\w+/g, (word) => (unheard.has(word) || own.has(word) ? '…' : word))
}

import type { DocTypeDefinition } from '../../engine/definition/model/definition.ts'
import { fieldFacts } from './field-facts.ts'
import { flowFacts } from './flow-facts.ts'
import { stepFacts } from './step-facts.ts'
import { type Aspects, aspectsOf, type Fact, textOf } from './texts.ts'

/** Groups of facts about a DocType, in the order a release note tells them. */
export const GROUPS = [
  'General',
  'Fields',
  'States',
  'Moves',
  'Rules',
  'Postings',
  'Actions',
  'Events',
  'Rights',
] as const

export type Group = (typeof GROUPS)[number]

/** Facts of a DocType by group and key, in the words of the business. */
export type Facts = Readonly<Record<Group, ReadonlyMap<string, Fact>>>

/** Role → rights in a DocType, whatever file they come from. */
export type RightsOf = (
  definition: DocTypeDefinition,
) => Readonly<Record<string, readonly string[]>>

/** All that a release note may tell of a DocType; two that say the same have the same facts, however they are written. */
export function factsOf(definition: DocTypeDefinition, rightsOf: RightsOf): Facts {
  const { behaviour, fields, finds } = definition
  const { status } = behaviour
  return {
    General: generalFacts(definition),
    Fields: fieldFacts({ fields, ...(finds ? { finds } : {}) }),
    ...flowFacts(status),
    Rules: keyed(
      (behaviour.validate ?? []).map(({ field, message, each, check, unique, during }) => ({
        key: `${each === undefined ? '' : `${each}.`}${field}: ${message}`,
        aspects: aspectsOf({ condition: check, 'no two alike in': unique, during }),
      })),
    ),
    Postings: stepFacts(behaviour.effects?.submit ?? []),
    Actions: keyed(
      Object.entries(behaviour.actions ?? {}).map(([key, action]) => ({
        key,
        label: action.label,
        aspects: aspectsOf({
          label: action.label,
          'possible while': action.when,
          'runs every': action.every,
          roles: action.roles,
          'by the workspace alone': action.system,
          'moves to': action.moves,
          'asks for': action.input?.map(({ name }) => name),
          does: action.steps?.map(textOf),
        }),
      })),
    ),
    Events: keyed(
      Object.entries(behaviour.events ?? {}).map(([key, event]) => ({
        key,
        aspects: aspectsOf({
          'triggered by': event.trigger,
          field: event.field,
          when: event.when,
          sets: event.set,
          carries: event.data,
        }),
      })),
    ),
    Rights: rightFacts(definition, rightsOf),
  }
}

function generalFacts(definition: DocTypeDefinition): ReadonlyMap<string, Fact> {
  const { naming, behaviour } = definition
  const { kind, ...how } = naming
  const said: Aspects = aspectsOf({
    label: definition.label,
    plural: definition.labelPlural,
    resource: [definition.slug, ...definition.aliases],
    module: definition.module,
    tier: definition.tier,
    'is submitted': definition.submittable,
    named: [kind, ...Object.values(how)].join(' '),
    title: definition.titleField,
    'found by': definition.searchFields,
    'columns of the list': definition.listFields,
    'belongs to': definition.belongsTo,
    'tree by': definition.tree,
    views: behaviour.views,
    'unique together': behaviour.unique?.map(({ fields, where }) => textOf({ fields, where })),
    ledger: behaviour.ledger,
    'always holds': behaviour.invariants?.map(textOf),
    'brings along': behaviour.brings,
    paper: behaviour.print,
  })
  return keyed(Object.entries(said).map(([key, is]) => ({ key, aspects: { is } })))
}

function rightFacts(definition: DocTypeDefinition, rightsOf: RightsOf): ReadonlyMap<string, Fact> {
  const { rows = {}, follows } = definition.behaviour.permissions ?? {}
  const rights = rightsOf(definition)
  const roles = [...new Set([...Object.keys(rights), ...Object.keys(rows)])].sort()
  const facts = roles.map((role) => ({
    key: role,
    aspects: aspectsOf({ may: [...(rights[role] ?? [])].sort(), 'only records where': rows[role] }),
  }))
  if (follows === undefined) return keyed(facts)
  return keyed([...facts, { key: 'as of the record behind', aspects: { is: follows } }])
}

/** Facts by key; a key that is there already gets a number. */
function keyed(facts: readonly Fact[]): ReadonlyMap<string, Fact> {
  const byKey = new Map<string, Fact>()
  for (const fact of facts) {
    let key = fact.key
    for (let n = 2; byKey.has(key); n += 1) key = `${fact.key} (${n})`
    byKey.set(key, { ...fact, key })
  }
  return byKey
}

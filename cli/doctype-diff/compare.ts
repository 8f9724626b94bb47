import type { DocTypeDefinition } from '../../engine/definition/model/definition.ts'
import { type Facts, factsOf, GROUPS, type Group, type RightsOf } from './facts.ts'
import type { Aspects, Fact } from './texts.ts'

/** DocTypes of one side, with the rights in them. */
export interface Side {
  readonly definitions: readonly DocTypeDefinition[]
  readonly rightsOf: RightsOf
}

/** What differs between the DocTypes of two sides, by name; nothing that is the same. */
export interface Differences {
  readonly added: readonly DocTypeNote[]
  readonly removed: readonly DocTypeNote[]
  readonly changed: readonly DocTypeChange[]
}

/** A DocType that only one side has. */
export interface DocTypeNote {
  readonly doctype: string
  readonly label: string
  readonly description: string | null
  readonly fields: number
}

/** A DocType that both sides have, and how it differs, by group. */
export interface DocTypeChange {
  readonly doctype: string
  readonly label: string
  readonly groups: Readonly<Partial<Record<Group, GroupChange>>>
}

export interface GroupChange {
  readonly added: readonly FactNote[]
  readonly removed: readonly FactNote[]
  readonly changed: readonly FactChange[]
}

export interface FactNote {
  readonly name: string
  readonly label: string | null
  readonly is: Aspects
}

/** A fact of both sides; `from` and `to` are null where nothing was, or is, said. */
export interface FactChange {
  readonly name: string
  readonly label: string | null
  /** Name it had before. */
  readonly was: string | null
  readonly aspects: Readonly<
    Record<string, { readonly from: string | null; readonly to: string | null }>
  >
}

/** Compares two sides by what their definitions come to, not by their text. */
export function compareDocTypes(before: Side, after: Side): Differences {
  const old = byName(before)
  const now = byName(after)
  return {
    added: [...now.values()].filter(({ doctype }) => !old.has(doctype)).map(noteOf),
    removed: [...old.values()].filter(({ doctype }) => !now.has(doctype)).map(noteOf),
    changed: [...now.values()].flatMap((definition) => {
      const was = old.get(definition.doctype)
      if (!was) return []
      const groups = compareFacts(
        factsOf(was, before.rightsOf),
        factsOf(definition, after.rightsOf),
      )
      const { doctype, label } = definition
      return Object.keys(groups).length === 0 ? [] : [{ doctype, label, groups }]
    }),
  }
}

/** Number of DocTypes that differ. */
export function countDifferences({ added, removed, changed }: Differences): number {
  return added.length + removed.length + changed.length
}

function byName({ definitions }: Side): ReadonlyMap<string, DocTypeDefinition> {
  return new Map(
    definitions
      .map((definition) => [definition.doctype, definition] as const)
      .sort(([one], [other]) => (one < other ? -1 : 1)),
  )
}

function noteOf({ doctype, label, description, fields }: DocTypeDefinition): DocTypeNote {
  return { doctype, label, description: description ?? null, fields: fields.length }
}

function compareFacts(old: Facts, now: Facts): DocTypeChange['groups'] {
  const groups: Partial<Record<Group, GroupChange>> = {}
  for (const group of GROUPS) {
    const change = compareGroup(old[group], now[group])
    if (change.added.length + change.removed.length + change.changed.length > 0)
      groups[group] = change
  }
  return groups
}

function compareGroup(old: ReadonlyMap<string, Fact>, now: ReadonlyMap<string, Fact>): GroupChange {
  const added: FactNote[] = []
  const changed: FactChange[] = []
  const met = new Set<string>()
  for (const fact of now.values()) {
    const was = old.get(fact.key) ?? renamed(fact, old, now)
    if (!was) {
      added.push(factNote(fact))
      continue
    }
    met.add(was.key)
    const aspects = compareAspects(was.aspects, fact.aspects)
    const isRenamed = was.key !== fact.key
    if (isRenamed || Object.keys(aspects).length > 0)
      changed.push({
        name: fact.key,
        label: fact.label ?? null,
        was: isRenamed ? was.key : null,
        aspects,
      })
  }
  const removed = [...old.values()].filter(({ key }) => !met.has(key)).map(factNote)
  return { added, removed, changed }
}

/** The fact that this one was called before, where it is said so and that one is gone. */
function renamed(
  { renamedFrom }: Fact,
  old: ReadonlyMap<string, Fact>,
  now: ReadonlyMap<string, Fact>,
): Fact | undefined {
  return renamedFrom === undefined || now.has(renamedFrom) ? undefined : old.get(renamedFrom)
}

function factNote({ key, label, aspects }: Fact): FactNote {
  return { name: key, label: label ?? null, is: aspects }
}

function compareAspects(old: Aspects, now: Aspects): FactChange['aspects'] {
  const names = [...new Set([...Object.keys(old), ...Object.keys(now)])]
  return Object.fromEntries(
    names
      .filter((name) => old[name] !== now[name])
      .map((name) => [name, { from: old[name] ?? null, to: now[name] ?? null }]),
  )
}

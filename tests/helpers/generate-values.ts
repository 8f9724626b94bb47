import type { DocTypeDefinition } from '../../engine/definition/model/definition.ts'
import type { Registry } from '../../engine/definition/model/registry.ts'
import { getDocument } from '../../engine/documents/operations/get.ts'
import type { Context } from '../../engine/documents/work/context.ts'
import type { Field } from '../../engine/fields/field.ts'
import { fieldType } from '../../engine/fields/index.ts'
import { isWritable, mustBeSent } from '../../engine/schema/shapes/json-schema.ts'
import type { Body } from './generate.ts'
import type { Inputs } from './generate-blame.ts'
import type { Pools } from './generate-pools.ts'
import type { Random } from './random.ts'

/** Smaller numbers keep days, quantities and percentages within reach of each other. */
const SPREAD = 40

/** Values of fields, and bodies of them. */
export interface Values {
  /** What must be sent, and each other field a client can set with this chance. */
  filled(fields: readonly Field[], chance: number): Promise<Body>
  /** A value for a field; unset where nothing fits. `beside` holds the values of the fields beside it. */
  value(field: Field, beside: Body): Promise<unknown>
  /** The body with other values in these fields and columns; unset where they need not be sent. */
  varied(definition: DocTypeDefinition, tried: Body, blamed: Inputs): Promise<Body>
  /** A few fields to change when nobody says which. */
  anywhere(definition: DocTypeDefinition): Inputs
}

export interface ValueOptions {
  readonly pools: Pools
  readonly leaveOut: ReadonlySet<string>
}

export function createValues(
  context: Context,
  random: Random,
  { pools, leaveOut }: ValueOptions,
): Values {
  const { registry } = context.services
  const kinds = kindFields(registry)
  let count = 0

  async function filled(fields: readonly Field[], chance: number): Promise<Body> {
    const values: Body = {}
    for (const field of inOrder(fields)) {
      const isSent = isNeeded(field) || (!leaveOut.has(field.name) && random.chance(chance))
      if (!isSent || !isWritable(field, 'create')) continue
      set(values, field.name, field.child ? await rows(field, chance) : await value(field, values))
      if (field.linkTable !== undefined) await copyRow(fields, field, values)
    }
    return values
  }

  async function value(field: Field, beside: Body): Promise<unknown> {
    if (field.child) return rows(field, 0.5)
    if (field.linkTable !== undefined) return (await rowOf(field, beside))?.row_id
    const doctype = field.link ?? beside[field.linkFrom ?? '']
    if (field.link !== undefined || field.linkFrom !== undefined) {
      const target = typeof doctype === 'string' ? registry.byDoctype(doctype) : undefined
      const names = target ? await pools.of(target) : []
      return names.length === 0 ? undefined : random.one(names)
    }
    if (kinds.has(field)) return random.one(KINDS)
    const type = fieldType(field.type)
    count += 1
    // Texts differ from each other, so that they can be names.
    return type.example(field, type.kind === 'str' && !field.options ? count : random.below(SPREAD))
  }

  async function rows(field: Field, chance: number): Promise<Body[]> {
    const { fields, minRows, maxRows } = field.child!
    const length = Math.min(maxRows, Math.max(minRows, 1 + random.below(2)))
    const made: Body[] = []
    while (made.length < length) made.push(await filled(fields, chance))
    return made
  }

  /** A row of the record that a field beside it names, else of any. */
  async function rowOf({ link, linkTable }: Field, beside: Body): Promise<Body | undefined> {
    const target = registry.byDoctype(link!)!
    const names = await pools.of(target)
    const named = names.filter((name) => Object.values(beside).includes(name))
    if (names.length === 0) return undefined
    const { record } = await getDocument(
      context,
      target,
      random.one(named.length > 0 ? named : names),
    )
    const found = record[linkTable!] as readonly Body[]
    return found.length === 0 ? undefined : random.one(found)
  }

  /** What stands for the row of another document has its values: the same item, unit, rate. */
  async function copyRow(
    fields: readonly Field[],
    { name, link, linkTable }: Field,
    values: Body,
  ): Promise<void> {
    const target = registry.byDoctype(link!)!
    for (const id of await pools.of(target)) {
      const { record } = await getDocument(context, target, id)
      const row = (record[linkTable!] as readonly Body[]).find(
        ({ row_id }) => row_id === values[name],
      )
      if (!row) continue
      for (const field of fields) {
        const isOwn = field.child || field.linkTable !== undefined || !isWritable(field, 'create')
        if (!isOwn && row[field.name] !== undefined && row[field.name] !== null)
          values[field.name] = row[field.name]
      }
    }
  }

  async function varied(definition: DocTypeDefinition, tried: Body, blamed: Inputs): Promise<Body> {
    const next: Body = { ...tried }
    for (const field of inOrder(definition.fields)) {
      const columns = blamed.get(field.name)
      if (!columns || !isWritable(field, 'create') || random.chance(0.2)) continue
      const old = next[field.name]
      if (field.child && Array.isArray(old) && columns.size > 0 && random.chance(0.8)) {
        const only = random.chance(0.5) ? random.below(old.length) : undefined
        next[field.name] = await Promise.all(
          old.map((row: Body, index) =>
            only === undefined || only === index
              ? variedRow(field.child!.fields, row, columns)
              : row,
          ),
        )
      } else if (field.child) {
        set(
          next,
          field.name,
          !isNeeded(field) && random.chance(0.5)
            ? undefined
            : await rows(field, random.one([0, 0, 0.5])),
        )
      } else set(next, field.name, await other(field, next))
    }
    return next
  }

  async function variedRow(
    fields: readonly Field[],
    row: Body,
    columns: ReadonlySet<string>,
  ): Promise<Body> {
    const next: Body = { ...row }
    for (const field of inOrder(fields)) {
      if (!columns.has(field.name) || !isWritable(field, 'create') || random.chance(0.3)) continue
      set(next, field.name, await other(field, next))
    }
    return next
  }

  /** Another value of a field: unset, a small number, or a new one. */
  async function other(field: Field, beside: Body): Promise<unknown> {
    const { kind } = fieldType(field.type)
    const isNumber = kind === 'money' || kind === 'decimal' || kind === 'int'
    // What a body began with stays.
    if (!mustBeSent(field) && leaveOut.has(field.name)) return beside[field.name]
    if (!mustBeSent(field) && random.chance(0.5)) return undefined
    if (isNumber && random.chance(0.6)) return random.one([0, 1, 2])
    return value(field, beside)
  }

  function anywhere({ fields }: DocTypeDefinition): Inputs {
    const writable = fields.filter((field) => isWritable(field, 'create'))
    const some = Array.from({ length: 3 }, () => random.one(writable))
    return new Map(
      some.map(({ name, child }) => [
        name,
        new Set(child ? [random.one(child.fields).name, random.one(child.fields).name] : []),
      ]),
    )
  }

  return { filled, value, varied, anywhere }
}

/** DocTypes that a text field names, for a dynamic link beside it that takes a record of any of them. */
const KINDS = ['Customer', 'Item', 'Lead']

/** Text fields that name the DocType of a dynamic link beside them. */
function kindFields(registry: Registry): ReadonlySet<Field> {
  const found = new Set<Field>()
  const add = (fields: readonly Field[]): void => {
    const named = new Set(fields.map(({ linkFrom }) => linkFrom))
    for (const field of fields) {
      if (named.has(field.name) && !field.options) found.add(field)
      if (field.child) add(field.child.fields)
    }
  }
  for (const { fields } of registry.all) add(fields)
  return found
}

/** What is asked of callers in any case. */
function isNeeded(field: Field): boolean {
  if (field.child) return field.child.minRows > 0 && field.fetch === undefined
  return mustBeSent(field)
}

/** Fields after those that say what they may be: a dynamic link's DocType, the document of a row. */
function inOrder(fields: readonly Field[]): readonly Field[] {
  const rank = ({ linkFrom, linkTable }: Field): number =>
    linkTable !== undefined ? 2 : linkFrom !== undefined ? 1 : 0
  return fields.toSorted((a, b) => rank(a) - rank(b))
}

function set(values: Body, name: string, value: unknown): void {
  if (value === undefined) delete values[name]
  else values[name] = value
}

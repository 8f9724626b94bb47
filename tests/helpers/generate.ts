import { AppError, type Detail } from '../../engine/base/errors.ts'
import type { DocTypeDefinition, Field } from '../../engine/definition/definition.ts'
import type { Context, DocumentResult } from '../../engine/documents/context.ts'
import { createDocument } from '../../engine/documents/create.ts'
import { getDocument } from '../../engine/documents/get.ts'
import { removeDocument } from '../../engine/documents/remove.ts'
import { submitDocument } from '../../engine/documents/submit.ts'
import { fieldType } from '../../engine/fields/index.ts'
import { isWritable } from '../../engine/schema/json-schema.ts'
import { inputsOfProblems } from './generate-blame.ts'
import type { Random } from './random.ts'

export type Body = Record<string, unknown>

/** Makes records of any DocType from its definition alone. */
export interface Generator {
  /**
   * A body that can be created and, where the DocType is submittable, submitted: every field a client can
   * set is set, as far as the rules of the DocType allow. What it links to is created first.
   */
  body(definition: DocTypeDefinition): Promise<Body>
  /** A value for a field; unset where nothing fits. `beside` holds the values of the fields beside it. */
  value(field: Field, beside: Body): Promise<unknown>
}

/** Variations of a body that are tried before a DocType counts as one that nobody can create. */
const MAX_TRIES = 600
/** Records of one DocType that links choose from. */
const POOL = 2
/** Smaller numbers keep days, quantities and percentages within reach of each other. */
const SPREAD = 40

/** A generator that creates linked records as `context`; the same `random` makes the same bodies. */
export function generator(context: Context, random: Random): Generator {
  const { registry } = context.services
  const pools = new Map<string, string[]>()
  const filling = new Set<string>()
  let count = 0

  async function body(definition: DocTypeDefinition): Promise<Body> {
    await pool(definition)
    return withNewNames(definition, (await solve(definition)).body)
  }

  /** Names of records a link may name; empty while the first of them is being made. */
  async function pool(definition: DocTypeDefinition): Promise<readonly string[]> {
    const names = pools.get(definition.doctype) ?? []
    pools.set(definition.doctype, names)
    if (filling.has(definition.doctype)) return names
    filling.add(definition.doctype)
    try {
      while (names.length < POOL) names.push((await solve(definition)).made.id)
    } finally {
      filling.delete(definition.doctype)
    }
    return names
  }

  async function solve(
    definition: DocTypeDefinition,
  ): Promise<{ readonly body: Body; readonly made: DocumentResult }> {
    let tried = await filled(definition.fields)
    if (definition.naming.kind === 'prompt') tried.name = newName(definition)
    let problems: readonly Detail[] = []
    for (let tries = 0; tries < MAX_TRIES; tries += 1) {
      const outcome = await attempt(context, definition, tried)
      if ('made' in outcome) return { body: tried, made: outcome.made }
      problems = outcome.problems
      tried = outcome.taken
        ? withNewNames(definition, tried)
        : await varied(definition, tried, problems)
    }
    const shown = JSON.stringify({ body: tried, problems }, null, 2)
    throw new Error(
      `found no valid ${definition.doctype} in ${MAX_TRIES} tries; the last: ${shown}`,
    )
  }

  /** Everything a client can set; links last, since a dynamic one needs to know its DocType. */
  async function filled(fields: readonly Field[]): Promise<Body> {
    const values: Body = {}
    const writable = fields.filter((field) => isWritable(field, 'create'))
    for (const field of writable.toSorted((a, b) => Number(isDynamic(a)) - Number(isDynamic(b))))
      set(values, field.name, await value(field, values))
    return values
  }

  async function value(field: Field, beside: Body): Promise<unknown> {
    if (field.child) return rows(field)
    if (field.linkTable !== undefined) return rowOf(field)
    const doctype = field.link ?? beside[field.linkFrom ?? '']
    if (field.link !== undefined || isDynamic(field)) {
      const target = typeof doctype === 'string' ? registry.byDoctype(doctype) : undefined
      const names = target ? await pool(target) : []
      return names.length === 0 ? undefined : random.one(names)
    }
    const type = fieldType(field.type)
    count += 1
    // Texts differ from each other, so that they can be names.
    return type.example(field, type.kind === 'str' && !field.options ? count : random.below(SPREAD))
  }

  async function rows(field: Field): Promise<Body[]> {
    const { fields, minRows, maxRows } = field.child!
    const length = Math.min(maxRows, Math.max(minRows, 1 + random.below(2)))
    const made: Body[] = []
    while (made.length < length) made.push(await filled(fields))
    return made
  }

  async function rowOf({ link, linkTable }: Field): Promise<unknown> {
    const target = registry.byDoctype(link!)!
    const names = await pool(target)
    if (names.length === 0) return undefined
    const { record } = await getDocument(context, target, random.one(names))
    const named = record[linkTable!] as readonly Body[]
    return named.length === 0 ? undefined : random.one(named).row_id
  }

  /** The body with other values where the problems say, or the rules behind them look. */
  async function varied(
    definition: DocTypeDefinition,
    tried: Body,
    problems: readonly Detail[],
  ): Promise<Body> {
    const blamed = inputsOfProblems(definition, problems)
    const next: Body = { ...tried }
    for (const field of definition.fields) {
      const columns = blamed.get(field.name)
      if (!columns || !isWritable(field, 'create') || random.chance(0.2)) continue
      if (
        field.child &&
        Array.isArray(next[field.name]) &&
        columns.size > 0 &&
        random.chance(0.9)
      ) {
        const old = next[field.name] as readonly Body[]
        next[field.name] = await Promise.all(
          old.map((row) => variedRow(field.child!.fields, row, columns)),
        )
      } else if (field.child && field.child.minRows === 0 && random.chance(0.5)) {
        next[field.name] = []
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
    for (const field of fields) {
      if (!columns.has(field.name) || !isWritable(field, 'create') || random.chance(0.3)) continue
      set(next, field.name, await other(field, next))
    }
    return next
  }

  /** Another value of a field: unset, a small number, what a field beside it has, or a new one. */
  async function other(field: Field, beside: Body): Promise<unknown> {
    const { kind } = fieldType(field.type)
    const isNumber = kind === 'money' || kind === 'decimal' || kind === 'int'
    if (!field.required && !field.child && random.chance(0.35)) return undefined
    if (isNumber && random.chance(0.6)) return random.one([0, 1, 2])
    return value(field, beside)
  }

  /** The same with new values where no two records may have the same. */
  function withNewNames(definition: DocTypeDefinition, given: Body): Body {
    const { naming } = definition
    const next: Body = { ...given }
    if (naming.kind === 'prompt') next.name = newName(definition)
    for (const field of definition.fields) {
      const isName = naming.kind === 'field' && naming.field === field.name
      if (!(isName || field.unique) || next[field.name] === undefined) continue
      count += 1
      next[field.name] = fieldType(field.type).example(field, count)
    }
    return next
  }

  function newName({ doctype }: DocTypeDefinition): string {
    count += 1
    return `${doctype} ${count}`
  }

  return { body, value }
}

type Outcome =
  | { readonly made: DocumentResult }
  | { readonly problems: readonly Detail[]; readonly taken: boolean }

/** Creates and submits; what could not be submitted is removed again. */
async function attempt(
  context: Context,
  definition: DocTypeDefinition,
  body: Body,
): Promise<Outcome> {
  let draft: DocumentResult | undefined
  try {
    draft = await createDocument(context, definition, body)
    if (!definition.submittable) return { made: draft }
    return { made: await submitDocument(context, definition, draft.id) }
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    if (error.code !== 'VALIDATION_ERROR' && error.code !== 'CONFLICT') throw error
    if (draft) await removeDocument(context, definition, draft.id)
    return { problems: error.details ?? [], taken: error.code === 'CONFLICT' }
  }
}

function isDynamic({ linkFrom }: Field): boolean {
  return linkFrom !== undefined
}

function set(values: Body, name: string, value: unknown): void {
  if (value === undefined) delete values[name]
  else values[name] = value
}

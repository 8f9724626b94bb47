import type { Detail } from '../../engine/base/errors.ts'
import type { DocTypeDefinition } from '../../engine/definition/model/definition.ts'
import { listDocuments } from '../../engine/documents/lists/list.ts'
import type { Context } from '../../engine/documents/work/context.ts'
import type { DocumentResult } from '../../engine/documents/work/present.ts'
import type { Field } from '../../engine/fields/field.ts'
import { fieldType } from '../../engine/fields/index.ts'
import { readListQuery } from '../../server/http/list-params.ts'
import { attempt, undo } from './generate-attempt.ts'
import { inputsOfProblems } from './generate-blame.ts'
import { createPools, type Prepare } from './generate-pools.ts'
import { createValues } from './generate-values.ts'
import type { Random } from './random.ts'

export type Body = Record<string, unknown>

/** Makes records of any DocType from its definition alone. */
export interface Generator {
  /**
   * A body that can be created and, where the DocType is submittable, submitted, with as many of the fields
   * a client can set as the rules of the DocType and of the records behind it allow. What it links to is
   * there already or is created first.
   */
  body(definition: DocTypeDefinition): Promise<Body>
  /** The same body for one record more: with new values where no two records may have the same. */
  renamed(definition: DocTypeDefinition, body: Body): Body
  /** A value for a field; unset where nothing fits. `beside` holds the values of the fields beside it. */
  value(field: Field, beside: Body): Promise<unknown>
  /** Fields that are left to the workspace. */
  readonly leaveOut: ReadonlySet<string>
}

export interface GeneratorOptions {
  /** Records that links may name instead of any there are, by DocType. */
  readonly prefer?: Readonly<Record<string, readonly string[]>>
  /** Fields left to the workspace wherever they are. */
  readonly leaveOut?: ReadonlySet<string>
  /** Values to begin with, by DocType, where trying would take too long to find them; most tries keep them. */
  readonly begin?: Readonly<Record<string, Body>>
  /** How likely a field is sent that need not be, in the first try of all; 1 without it. */
  readonly chance?: number
  /** Does with a record that was made for links to name what it needs to be of use. */
  readonly prepare?: Prepare
}

/** How likely a field is sent that need not be: on each new start less, in the end only what must be. */
const STARTS = [1, 0.7, 0.4, 0.2, 0.1, 0, 0, 0, 0, 0]
/** As plain as can be, from the beginning. */
const PLAIN = STARTS.map(() => 0)
/** How often what a body began with is kept when it is varied. */
const KEPT = 0.7
/** Variations of a start that are tried before the next one. */
const TRIES = 80

/** Starts with the records there are, before new ones are made to link to. */
const PATIENCE = 3

/** Bodies that are tried before a DocType counts as one that cannot be cancelled. */
const UNDONE = 3
/** More problems than a document has that is refused on submit alone. */
const MANY = 1000

/** The best body so far, and what is still wrong with it. */
interface Step {
  readonly body: Body
  readonly problems: readonly Detail[]
  readonly left: number
}

/**
 * A generator that creates linked records as `context`; the same `random` makes the same bodies. A body is
 * found by trying: what the refusal of one blames is changed or left out in the next, and the next goes on
 * from the one with the fewest problems.
 */
export function generator(
  context: Context,
  random: Random,
  { prefer = {}, leaveOut = new Set(), begin = {}, chance = 1, prepare }: GeneratorOptions = {},
): Generator {
  const { registry } = context.services
  const pools = createPools(context, {
    prefer,
    make: async (definition) => (await solve(definition, PLAIN)).made,
    ...(prepare ? { prepare } : {}),
  })
  const values = createValues(context, random, { pools, leaveOut })
  const starts = STARTS.filter((each) => each <= chance)
  let count = 0

  async function body(definition: DocTypeDefinition): Promise<Body> {
    await pools.of(definition)
    for (let tries = 1; ; tries += 1) {
      const solved = await solve(definition, starts)
      const refusal = await undo(context, definition, solved.made)
      if (!refusal) return renamed(definition, solved.body)
      if (tries >= UNDONE) throw refusal
    }
  }

  /** The body with names that are free: of texts with a pattern there may be few. */
  async function renamed(definition: DocTypeDefinition, body: Body): Promise<Body> {
    const few = definition.fields.filter(
      ({ unique, pattern, filterable }) => unique && pattern && filterable,
    )
    for (;;) {
      const named = withNewNames(definition, body)
      const filters = few
        .filter(({ name }) => named[name] !== undefined)
        .map(({ name }): [string, string] => [name, String(named[name])])
      if (filters.length === 0) return named
      const query = readListQuery(context.services, definition, filters)
      const { data } = await listDocuments(context, definition, query)
      if (data.length === 0) return named
    }
  }

  async function solve(
    definition: DocTypeDefinition,
    chances: readonly number[],
  ): Promise<{ readonly body: Body; readonly made: DocumentResult }> {
    let tried: Body = {}
    let problems: readonly Detail[] = []
    for (const [index, each] of chances.entries()) {
      let best: Step | undefined
      if (index >= PATIENCE) await growPools(definition)
      const first = await values.filled(definition.fields, each)
      tried = withNewNames(definition, { ...first, ...begin[definition.doctype] })
      for (let tries = 0; tries < TRIES; tries += 1) {
        const outcome = await attempt(context, definition, tried)
        if ('made' in outcome) return { body: tried, made: outcome.made }
        problems = outcome.problems
        const left = problems.length + (outcome.drafted ? 0 : MANY)
        if (!best || left <= best.left) best = { body: tried, problems, left }
        tried = await varied(definition, best.body, best.problems)
        if (random.chance(KEPT)) tried = { ...tried, ...begin[definition.doctype] }
        if (outcome.taken) tried = withNewNames(definition, tried)
      }
    }
    const shown = JSON.stringify({ body: tried, problems }, null, 2)
    throw new Error(
      `found no valid ${definition.doctype} in ${chances.length * TRIES} tries; the last: ${shown}`,
    )
  }

  async function growPools({ fields }: DocTypeDefinition): Promise<void> {
    const links = fields.flatMap((field) => [field, ...(field.child?.fields ?? [])])
    for (const doctype of new Set(links.map(({ link }) => link))) {
      const target = doctype === undefined ? undefined : registry.byDoctype(doctype)
      if (target) await pools.grow(target)
    }
  }

  /** The body with other values where the problems say, or the rules behind them look; else anywhere. */
  function varied(
    definition: DocTypeDefinition,
    tried: Body,
    problems: readonly Detail[],
  ): Promise<Body> {
    const blamed = inputsOfProblems(registry, definition, problems)
    const anywhere = blamed.size === 0 || random.chance(0.1)
    return values.varied(definition, tried, anywhere ? values.anywhere(definition) : blamed)
  }

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

  return { body, renamed: withNewNames, value: values.value, leaveOut }
}

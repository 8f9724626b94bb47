import type { DocTypeDefinition } from '../../engine/definition/model/definition.ts'
import type { Registry } from '../../engine/definition/model/registry.ts'
import type { Field } from '../../engine/fields/field.ts'
import { publicFields } from '../../engine/fields/public-fields.ts'
import { isWritable } from '../../engine/schema/shapes/json-schema.ts'
import type { Answer, Outcome, Request } from './ask.ts'
import {
  addValue,
  type Body,
  bodyLike,
  canBeLoaded,
  freeTexts,
  isName,
  leastBody,
  type NameOf,
} from './recipe-fields.ts'

/** Documents of one DocType that the copy takes, and what may be done with them: found out on the copy itself. */
export interface Recipe {
  readonly slug: string
  /** Field that bears the marker of each document, by which it is found again. */
  readonly marker: string
  readonly body: Body
  /** Field that is changed; undefined where there is none. */
  readonly changes: string | undefined
  readonly submits: boolean
  readonly cancels: boolean
  readonly removes: boolean
}

/** Sends a request to the copy in quiet. */
export type Send = (request: Request) => Promise<Outcome>

export interface LearnOptions {
  readonly registry: Registry
  readonly send: Send
  /** Text that begins every marker of this run. */
  readonly prefix: string
  /** The most recipes. */
  readonly most: number
  /** Time after which no other DocType is tried, in ms. */
  readonly patienceMs: number
}

/** Tries to find a body that is taken. */
const TRIES = 6
const AT_ONCE = 8

/**
 * Finds documents that the definitions allow: like those that are there, else with the least that must be sent; what is
 * complained of is mended a few times. Half of them are submitted where there are such; those are tried once more when the
 * others have left something that they can name.
 */
export async function learnRecipes(options: LearnOptions): Promise<readonly Recipe[]> {
  const { registry, send, most, patienceMs } = options
  const end = performance.now() + patienceMs
  const nameOf = namesBy(registry, send)
  const sorted = await inOrder(registry.all.filter(canBeLoaded), send)
  const found = new Map<DocTypeDefinition, Recipe>()
  for (const isSubmittable of [true, false, true]) {
    const own = sorted.filter(({ submittable }) => submittable === isSubmittable)
    for (const definition of own) {
      const has = own.filter((one) => found.has(one)).length
      if (has >= most / 2 || performance.now() > end) break
      const recipe = found.has(definition) ? undefined : await learn(definition, options, nameOf)
      if (recipe) found.set(definition, recipe)
    }
  }
  return [...found.values()]
}

/** DocTypes with the most records come first. */
async function inOrder(
  definitions: readonly DocTypeDefinition[],
  send: Send,
): Promise<readonly DocTypeDefinition[]> {
  const counted: { readonly definition: DocTypeDefinition; readonly total: number }[] = []
  for (let start = 0; start < definitions.length; start += AT_ONCE)
    counted.push(
      ...(await Promise.all(
        definitions.slice(start, start + AT_ONCE).map(async (definition) => ({
          definition,
          total: await totalOf(send, definition.slug),
        })),
      )),
    )
  return counted.toSorted((a, b) => b.total - a.total).map(({ definition }) => definition)
}

/** Number of records of a list, as its own count says. */
export async function totalOf(send: Send, slug: string, filter = ''): Promise<number> {
  const answer = await send({ method: 'GET', path: `/v1/${slug}?limit=1${filter}` })
  if (!isOk(answer)) return 0
  return Number((answer.body?.meta as { total?: number } | undefined)?.total ?? 0)
}

function namesBy(registry: Registry, send: Send): NameOf {
  const names = new Map<string, string | undefined>()
  return async (doctype) => {
    const definition = registry.byDoctype(doctype)
    if (!definition || definition.isChild) return undefined
    if (!names.has(doctype)) {
      const state = definition.submittable ? '&docstatus=1' : ''
      const answer = await send({ method: 'GET', path: `/v1/${definition.slug}?limit=1${state}` })
      const [first] = isOk(answer) ? ((answer.body?.data ?? []) as Body[]) : []
      const id = first?.id
      if (typeof id !== 'string') return undefined
      names.set(doctype, id)
    }
    return names.get(doctype)
  }
}

async function learn(
  definition: DocTypeDefinition,
  { send, prefix }: LearnOptions,
  nameOf: NameOf,
): Promise<Recipe | undefined> {
  const { slug } = definition
  const texts = freeTexts(definition)
  const isPrompt = definition.naming.kind === 'prompt'
  const [marker] = isPrompt ? ['name'] : texts.map(({ name }) => name)
  if (marker === undefined) return undefined
  const changes = texts.find(
    (field) => field.name !== marker && isWritable(field, 'update') && !isName(definition, field),
  )?.name
  let count = 0
  const next = (): Body => {
    count += 1
    return { [marker]: `${prefix}-trial-${slug.slice(0, 4)}${count}` }
  }
  for (const first of await candidates(definition, send, nameOf)) {
    const made = await settleOn(definition, send, nameOf, first, next)
    if (!made) continue
    const { body, id } = made
    const path = `/v1/${slug}/${encodeURIComponent(id)}`
    const submits = definition.submittable && (await isDone(send, 'POST', `${path}/submit`))
    const cancels = submits && (await isDone(send, 'POST', `${path}/cancel`))
    const second = await send({ method: 'POST', path: `/v1/${slug}`, body: { ...body, ...next() } })
    if (!isOk(second)) continue
    const other = `/v1/${slug}/${encodeURIComponent(String(second.body?.id))}`
    const change = { [changes ?? '']: 'changed' }
    const canChange = changes !== undefined && (await isDone(send, 'PATCH', other, change))
    const removes = await isDone(send, 'DELETE', other)
    return {
      slug,
      marker,
      body,
      changes: canChange ? changes : undefined,
      submits,
      cancels,
      removes,
    }
  }
  return undefined
}

/** Bodies to begin with: of records that are there, and the least there can be. */
async function candidates(
  definition: DocTypeDefinition,
  send: Send,
  nameOf: NameOf,
): Promise<readonly Body[]> {
  const { slug, submittable } = definition
  const state = submittable ? '&docstatus=1' : ''
  const list = await send({ method: 'GET', path: `/v1/${slug}?limit=2${state}` })
  const rows = isOk(list) ? ((list.body?.data ?? []) as Body[]) : []
  const bodies: Body[] = []
  for (const { id } of rows) {
    const one = await send({ method: 'GET', path: `/v1/${slug}/${encodeURIComponent(String(id))}` })
    if (isOk(one)) bodies.push(bodyLike(definition, one.body ?? {}))
  }
  return [...bodies, await leastBody(publicFields(definition), nameOf)]
}

/** Sends a body, and mends what is complained of, until one is taken. */
async function settleOn(
  definition: DocTypeDefinition,
  send: Send,
  nameOf: NameOf,
  first: Body,
  next: () => Body,
): Promise<{ readonly body: Body; readonly id: string } | undefined> {
  const body = { ...first }
  for (let tried = 0; tried < TRIES; tried += 1) {
    const sent = { ...body, ...next() }
    const answer = await send({ method: 'POST', path: `/v1/${definition.slug}`, body: sent })
    if (isOk(answer)) return { body, id: String(answer.body?.id) }
    if (answer === 'silence' || answer === 'closed' || answer.status !== 422) return undefined
    const fields = complainedOf(definition, answer)
    if (fields.length === 0) return undefined
    for (const field of fields)
      if (body[field.name] === undefined) await addValue(body, field, nameOf)
      else delete body[field.name]
  }
  return undefined
}

/** Fields of the record that a 422 names; a column by its table. */
function complainedOf({ fields }: DocTypeDefinition, { body }: Answer): readonly Field[] {
  const { details = [] } = (body?.error ?? {}) as { details?: readonly { field: string }[] }
  const names = new Set(details.map(({ field }) => field.split(/[.[]/)[0]))
  return fields.filter((field) => names.has(field.name) && isWritable(field, 'create'))
}

/** Answer that says that it was done. */
type Done = Answer & { readonly status: 200 | 201 | 204 }

/** Whether an answer says that it was done. */
export function isOk(outcome: Outcome): outcome is Done {
  return (
    outcome !== 'silence' && outcome !== 'closed' && outcome.status >= 200 && outcome.status < 300
  )
}

async function isDone(
  send: Send,
  method: Request['method'],
  path: string,
  body?: Body,
): Promise<boolean> {
  return isOk(await send({ method, path, ...(body === undefined ? {} : { body }) }))
}

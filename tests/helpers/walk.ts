import * as assert from 'uvu/assert'
import { isRefusal } from '../../engine/base/errors.ts'
import type { DocTypeDefinition } from '../../engine/definition/model/definition.ts'
import { runAction } from '../../engine/documents/operations/act.ts'
import { amendDocument } from '../../engine/documents/operations/amend.ts'
import { cancelDocument } from '../../engine/documents/operations/cancel.ts'
import { createDocument } from '../../engine/documents/operations/create.ts'
import type { Tried } from '../../engine/documents/operations/rehearse.ts'
import { removeDocument } from '../../engine/documents/operations/remove.ts'
import { reviseDocument } from '../../engine/documents/operations/revise.ts'
import { submitDocument } from '../../engine/documents/operations/submit.ts'
import { updateDocument } from '../../engine/documents/operations/update.ts'
import { runTick } from '../../engine/documents/schedule/tick.ts'
import type { Context } from '../../engine/documents/work/context.ts'
import type { DocumentResult } from '../../engine/documents/work/present.ts'
import { isWritable } from '../../engine/schema/shapes/json-schema.ts'
import type { Body, Generator } from './generate.ts'
import type { Random } from './random.ts'

/** What a random walk goes over, and with. */
export interface Walk {
  readonly context: Context
  readonly made: Generator
  readonly random: Random
  /** A body of each DocType that can be created and, where it is submittable, submitted. */
  readonly bodies: ReadonlyMap<DocTypeDefinition, Body>
  /** The same as another company would have it, which may be refused; and the day it is, to tell of what was before it. */
  readonly elsewhere?: (definition: DocTypeDefinition, body: Body) => Body
  today?(): number
  /** A day goes by. */
  nextDay(): void
  /** Does what is tried; by itself just that. */
  readonly attempt?: (tried: Tried) => Promise<DocumentResult>
}

/** `DocType verb` → how often it was done; refusals are part of business and not counted. */
export type Deeds = Map<string, number>

/** Steps between two days. */
const DAY = 40
const DAY_MS = 86_400_000
/** Days that something is told of late at most. */
const LATE = 20

/**
 * Makes records of each DocType and goes on at random: submits, cancels, amends and deletes them, presses their
 * buttons with values that are made up, and lets days go by. Whatever is no refusal is thrown, with what was done.
 */
export async function walk(the: Walk, steps: number): Promise<Deeds> {
  const { random, bodies, context } = the
  const deeds: Deeds = new Map()
  const ids = new Map<DocTypeDefinition, string[]>([...bodies].map(([key]) => [key, []]))
  const definitions = [...bodies.keys()]

  const attempt = the.attempt ?? ((tried: Tried) => tried.run(context))

  async function done(definition: DocTypeDefinition, verb: string, run: () => Promise<unknown>) {
    const what = `${definition.doctype} ${verb}`
    try {
      await run()
      deeds.set(what, (deeds.get(what) ?? 0) + 1)
    } catch (error) {
      if (!isRefusal(error)) throw new Error(what, { cause: error })
    }
  }

  /** The id of what was made, if it was; it is submitted where that can be. */
  async function add(definition: DocTypeDefinition, given: Body): Promise<string | undefined> {
    const body = the.made.renamed(definition, given)
    let made: string | undefined
    await done(definition, 'create', async () => {
      const run = (as: Context) => createDocument(as, definition, body)
      const { id } = await attempt({ definition, body, run })
      ids.get(definition)!.push(id)
      if (definition.submittable) await step(definition, 'submit', id)
      made = id
    })
    return made
  }

  async function step(definition: DocTypeDefinition, verb: string, id: string): Promise<void> {
    const known = ids.get(definition)!
    await done(definition, verb, async () => {
      const tried = await triedOf(the, definition, verb, id)
      const result = tried && (await attempt(tried))
      if (result && verb === 'amend') known.push(result.id)
    })
  }

  async function lived(definition: DocTypeDefinition, id: string | undefined): Promise<void> {
    if (!definition.submittable || id === undefined) return
    for (const verb of ['cancel', 'amend', 'submit']) await step(definition, verb, id)
  }

  for (const [definition, body] of bodies) {
    const first = await add(definition, body)
    await lived(definition, await add(definition, body))
    // What it was to deliver or to pay may have been by others since, so that a body is looked for again.
    const isDone = (): boolean =>
      ['submit', 'cancel'].every((verb) => deeds.has(`${definition.doctype} ${verb}`))
    // Of some there is room for one alone: what is kept for a row of an order is kept once.
    if (definition.submittable && !isDone()) await lived(definition, first)
    for (let times = 0; definition.submittable && !isDone() && times < AGAIN; times += 1) {
      const again = await found(the, definition)
      if (again) await lived(definition, await add(definition, again))
    }
  }
  const lively = definitions.filter((definition) => verbsOf(definition, the).length > 0)
  for (let count = 1; count <= steps; count += 1) {
    const definition = random.one(lively)
    const known = ids.get(definition)!
    if (known.length === 0 || random.chance(0.15)) await add(definition, told(the, definition))
    else await step(definition, random.one(verbsOf(definition, the)), random.one(known))
    if (count % DAY !== 0) continue
    the.nextDay()
    await runTick(context.services, {
      onFailure(doctype, name, error) {
        if (!isRefusal(error)) throw new Error(`tick of ${doctype} ${name ?? ''}`, { cause: error })
      },
    })
  }
  return deeds
}

/** Bodies that are looked for where those before could not be submitted and cancelled, at most. */
const AGAIN = 4

/** A new body of a DocType; undefined where the workspace has no room for another: one year is closed once. */
async function found({ made }: Walk, definition: DocTypeDefinition): Promise<Body | undefined> {
  try {
    return await made.body(definition)
  } catch (error) {
    if (!/^found no valid/.test(String((error as Error).message))) throw error
    return undefined
  }
}

/** A body of a DocType, sometimes another company's or of an earlier day. */
function told({ random, bodies, elsewhere, today }: Walk, definition: DocTypeDefinition): Body {
  const own = bodies.get(definition)!
  const body = elsewhere && random.chance(0.3) ? elsewhere(definition, own) : own
  const isDated = definition.fields.some(
    ({ name, type, formula }) => name === 'posting_date' && type === 'date' && !formula,
  )
  if (!isDated || !today || random.chance(0.5)) return body
  const day = new Date(today() - random.below(LATE) * DAY_MS)
  return { ...body, posting_date: day.toISOString().slice(0, 10) }
}

/** What is done at random to records that do more than being there. */
function verbsOf(
  { submittable, behaviour }: DocTypeDefinition,
  { attempt }: Pick<Walk, 'attempt'>,
): readonly string[] {
  const life = submittable ? ['submit', 'submit', 'cancel', 'cancel', 'amend', 'delete'] : []
  const buttons = behaviour.actions ? ['act', 'act', 'act'] : []
  // What is tried first is changed too.
  const changes = attempt ? [...(submittable ? ['revise'] : []), 'update'] : []
  return [...life, ...buttons, ...changes]
}

/** An operation on a record; undefined where nothing of it may be sent. */
async function triedOf(
  { made, random }: Walk,
  definition: DocTypeDefinition,
  verb: string,
  id: string,
): Promise<Tried | undefined> {
  switch (verb) {
    case 'submit':
      return { definition, id, run: (as) => submitDocument(as, definition, id) }
    case 'cancel':
      return { definition, id, run: (as) => cancelDocument(as, definition, id) }
    case 'amend':
      return { definition, id, run: (as) => amendDocument(as, definition, id) }
    case 'delete':
      return { definition, id, run: (as) => removeDocument(as, definition, id) }
    case 'act':
      return pressed(definition, id)
    default:
      return changed(definition, id, verb === 'revise')
  }

  async function pressed(of: DocTypeDefinition, name: string): Promise<Tried> {
    const [action, { input = [] }] = random.one(Object.entries(of.behaviour.actions!))
    const body: Body = {}
    for (const field of input)
      if (field.required || random.chance(0.5)) body[field.name] = await made.value(field, body)
    return { definition: of, id: name, run: (as) => runAction(as, of, name, action, body) }
  }

  /** Another value of one field: of a draft any, of what is submitted one that may still change. */
  async function changed(
    of: DocTypeDefinition,
    name: string,
    isSubmitted: boolean,
  ): Promise<Tried | undefined> {
    const open = of.fields.filter(
      (field) =>
        !field.child && isWritable(field, 'update') && (!isSubmitted || field.allowOnSubmit),
    )
    if (open.length === 0) return undefined
    const field = random.one(open)
    const body = { [field.name]: await made.value(field, {}) }
    const write = isSubmitted ? reviseDocument : updateDocument
    return { definition: of, id: name, body, run: (as) => write(as, of, name, body) }
  }
}

/** Every DocType that can be was submitted and cancelled. */
export function assertWalked(deeds: Deeds, definitions: Iterable<DocTypeDefinition>): void {
  const never = [...definitions]
    .filter(({ submittable }) => submittable)
    .flatMap(({ doctype }) => ['submit', 'cancel'].map((verb) => `${doctype} ${verb}`))
    .filter((what) => !deeds.has(what))
  assert.equal(never, [])
}

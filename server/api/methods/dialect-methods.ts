import { isObject } from '../../../engine/base/json-text.ts'
import type { DocTypeDefinition } from '../../../engine/definition/model/definition.ts'
import { filledRecord, madeByAction } from '../../../engine/documents/operations/taken-back.ts'
import type { Context } from '../../../engine/documents/work/context.ts'
import { publicField } from '../../../engine/fields/public-fields.ts'
import type {
  DialectMethod,
  FilledDocument,
  Handed,
  MadeByAction,
  ReadValue,
} from '../../../engine/schema/dialect/dialect.ts'
import { looseInput } from '../../../engine/schema/shapes/loose-input.ts'
import { inputOf } from '../act.ts'
import { isGiven } from '../args.ts'
import { recordDoctype, recordName } from '../call.ts'
import { FrappeError } from '../frappe-error.ts'
import { parsedParameter } from '../json-text.ts'
import { listRecords } from '../lists/list.ts'
import { shownFor } from '../shown-record.ts'
import type { Method, MethodCall } from './method.ts'

type Args = MethodCall['args']
type Shown = Record<string, unknown>

/** The method that the workspace's dialect has by that name. They change nothing, so GET calls them too. */
export function dialectMethod(context: Context, name: string): Method | undefined {
  const declared = context.services.dialect().methods.get(name)
  return declared && { verbs: ['GET', 'POST'], access: 'user', run: (call) => run(call, declared) }
}

async function run(call: MethodCall, declared: DialectMethod): Promise<unknown> {
  const args = withNested(call.args)
  if (!('does' in declared)) return readFirst(call, declared, args)
  return declared.does === 'make' ? make(call, declared, args) : fill(call, declared, args)
}

/** Arguments, with those that clients send as JSON under one name. */
function withNested(args: Args): Args {
  const nested = ['args', 'ctx'].map((name) =>
    isGiven(args[name]) ? parsedParameter(args[name], name) : {},
  )
  return Object.assign({}, ...nested.filter(isObject), args)
}

/** The document that an action would make; clients show it, and send it to save it. */
async function make(
  { context, response }: MethodCall,
  { kinds, kind, name, input }: MadeByAction,
  args: Args,
): Promise<unknown> {
  const meant = kinds.get(kind === undefined ? '*' : String(args[kind] ?? ''))
  if (!meant)
    throw new FrappeError(
      'ValidationError',
      `expected ${kind} to be one of ${[...kinds.keys()].join(', ')}`,
    )
  if (isGiven(args.target_doc))
    throw new FrappeError('ValidationError', 'target_doc: documents are made new; leave it out')
  const definition = recordDoctype(context, response, meant.doctype)
  const id = recordName(definition, args[name])
  const fields = inputOf(definition, meant.action)
  const sent = { ...args, ...handedOn(input, args) }
  const body = looseInput({ ...definition, naming: { kind: 'uuid' }, fields }, sent, {
    mode: 'create',
  })
  const [made] = await madeByAction(context, definition, id, meant.action, body)
  return made ? unsaved(context, made.definition, made.record) : null
}

/** A new document as far as its rules fill it, its first row, or the one value that is asked for. */
async function fill(
  { context, response }: MethodCall,
  { doctype, by, otherwise, set, row, values }: FilledDocument,
  args: Args,
): Promise<unknown> {
  const told = by === undefined ? undefined : args[by]
  const wanted = isGiven(args[doctype])
    ? args[doctype]
    : otherwise[isGiven(told) ? String(told) : 'none']
  const definition = recordDoctype(context, response, wanted)
  const body: Shown = known(definition, handedOn(set, args))
  if (row) body[row.table] = [handedOn(row.set, args)]
  const input = looseInput(definition, body, { mode: 'create' })
  const record = await filledRecord(context, definition, input)
  const filled = unsaved(context, definition, record)
  if (values) return values.map((name) => filled[name]).find(isGiven) ?? null
  return row ? ((filled[row.table] as readonly unknown[] | undefined)?.[0] ?? null) : filled
}

/** What the DocType has of the fields. */
function known(definition: DocTypeDefinition, values: Shown): Shown {
  return Object.fromEntries(
    Object.entries(values).filter(([name]) => publicField(definition, name)),
  )
}

function handedOn(handed: Handed, args: Args): Shown {
  return Object.fromEntries(
    Object.entries(handed).flatMap(([field, name]) =>
      isGiven(args[name]) ? [[field, args[name]]] : [],
    ),
  )
}

/** A document as clients know a new one: without a name, and rows without names. */
function unsaved(
  context: Context,
  definition: DocTypeDefinition,
  record: Readonly<Shown>,
): Readonly<Shown> {
  const shown = shownFor(context, definition, record, { omitUnset: true })
  const rows = Object.entries(shown).map(([key, value]) => [
    key,
    Array.isArray(value) ? value.map(withoutName) : value,
  ])
  return { ...withoutName(Object.fromEntries(rows) as Shown), docstatus: 0 }
}

function withoutName(shown: Shown): Shown {
  const { name: _, parent, creation, modified, owner, modified_by, ...rest } = shown
  return { ...rest, __islocal: 1 }
}

async function readFirst(
  { context, response }: MethodCall,
  declared: readonly ReadValue[],
  args: Args,
): Promise<unknown> {
  const meant = declared.find(({ needs }) => needs.every((name) => isGiven(args[name])))
  if (!meant) {
    const needed = declared.map(({ needs }) => needs.join(' and ')).join(', or ')
    throw new FrappeError('ValidationError', `expected ${needed}`)
  }
  const { doctype, value, sum, where, order, same } = meant
  if (same && args[same[0]] === args[same[1]]) return 1
  const definition = recordDoctype(context, response, doctype)
  const filters = where.flatMap(([field, operator, name]) =>
    isGiven(args[name]) ? [[field, operator, args[name]]] : [],
  )
  const summed = Object.keys(sum ?? {})
  const fields = sum ? summed.map((name) => `sum(${name}) as ${name}`) : [value]
  const [row] = await listRecords(context, definition, {
    fields,
    filters,
    limit_page_length: 1,
    ...(order === undefined ? {} : { order_by: order }),
  })
  const found = isObject(row) ? row : {}
  if (!sum) return found[value ?? 'name'] ?? 0
  const total = summed.reduce((all, name) => all + Number(found[name] ?? 0) * sum[name]!, 0)
  return Number(total.toFixed(6))
}

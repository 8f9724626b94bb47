import { AppError } from '../../../engine/base/errors.ts'
import { createDocument } from '../../../engine/documents/operations/create.ts'
import { previewOperation } from '../../../engine/documents/operations/rehearse.ts'
import { updateDocument } from '../../../engine/documents/operations/update.ts'
import type { Context } from '../../../engine/documents/work/context.ts'
import type { DocumentResult, Preview } from '../../../engine/documents/work/present.ts'
import type { Random } from '../../helpers/random.ts'
import type { Workspace } from './workspace.ts'

/** An operation of a walk: what is tried, and then done. */
export interface Operation {
  readonly doctype: string
  readonly id?: string
  readonly body?: unknown
  run(context: Context): Promise<DocumentResult>
}

/** Preview of an operation, or the code it is refused with. */
export async function previewed(
  { context, definition }: Workspace,
  { doctype, ...operation }: Operation,
): Promise<Preview | string> {
  try {
    return await previewOperation(context(), { definition: definition(doctype), ...operation })
  } catch (error) {
    if (error instanceof AppError) return error.code
    throw error
  }
}

/** A random operation on the records there are: creating, changing, submitting, cancelling, amending, acting, deleting. */
export function randomOperation(workspace: Workspace, random: Random, known: Known): Operation {
  const { definition } = workspace
  const kind = random.below(10)
  if (kind < 3 || known.size === 0) return creation(workspace, random, known)
  const [doctype, id] = random.one([...known.values()])
  const of = definition(doctype)
  if (kind === 3) {
    const body = { items: [row(random)] }
    return { doctype, id, body, run: (as) => updateDocument(as, of, id, body) }
  }
  const { submit, cancel, amend, remove, act } = workspace
  const verbs = [submit, submit, cancel, amend, remove]
  if (kind === 4) return { doctype, id, run: (as) => act(doctype, id, random.one(ACTIONS), {}, as) }
  const verb = verbs[kind - 5] ?? submit
  return { doctype, id, run: (as) => verb(doctype, id, as) }
}

const ACTIONS = ['make_invoice'] as const

/** Records by what they are found under: DocType and name. */
export type Known = Map<string, readonly [doctype: string, id: string]>

function row(random: Random): object {
  return {
    item: random.one(['A', 'B']),
    place: 'Hall',
    // Some are too large, or none at all.
    qty: random.chance(0.1) ? 'many' : random.below(9) - 2,
    rate: random.below(100) / 4,
  }
}

function creation({ definition }: Workspace, random: Random, known: Known): Operation {
  const doctype = random.one(['Move', 'Order', 'Invoice', 'Payment'])
  const items = Array.from({ length: random.below(3) }, () => row(random))
  const customer = random.one(['Ann', 'Bob', 'Nobody'])
  const body =
    doctype === 'Move'
      ? { note: random.one([null, 'look']), items }
      : doctype === 'Payment'
        ? payment(random, known, customer)
        : { customer, items: items.map(({ place: _, ...rest }: { place?: string }) => rest) }
  return { doctype, body, run: (as) => createDocument(as, definition(doctype), body) }
}

function payment(random: Random, known: Known, customer: string): object {
  const invoices = [...known.values()].filter(([doctype]) => doctype === 'Invoice')
  const references = invoices.length === 0 ? [] : [{ invoice: random.one(invoices)[1], amount: 5 }]
  return { customer, paid_amount: 20, references }
}

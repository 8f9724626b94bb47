import { ALL_ROLE } from '../../../engine/access/roles.ts'
import type { DocTypeDefinition } from '../../../engine/definition/model/definition.ts'
import { getDocument } from '../../../engine/documents/operations/get.ts'
import { reviseDocument } from '../../../engine/documents/operations/revise.ts'
import { updateDocument } from '../../../engine/documents/operations/update.ts'
import { openMoves } from '../../../engine/documents/rights/door.ts'
import type { Context } from '../../../engine/documents/work/context.ts'
import type { DocumentResult } from '../../../engine/documents/work/present.ts'
import { actionNamed, isTransition, runDocumentMethod } from '../act.ts'
import { recordDoctype, recordName } from '../call.ts'
import { objectParameter } from '../json-text.ts'
import { nameOf } from '../name-of.ts'
import { shownFor } from '../shown-record.ts'
import type { MethodCall, Methods } from './method.ts'

/** Methods of Frappe's forms about a workflow; here that is a declared flow (docs/decisions/0033). */
export const WORKFLOW_METHODS: Methods = {
  'frappe.model.workflow.apply_workflow': { verbs: ['POST'], access: 'user', run: applyWorkflow },
  'frappe.model.workflow.get_transitions': {
    verbs: ['GET', 'POST'],
    access: 'user',
    run: getTransitions,
  },
}

/**
 * A transition is a declared action, submit and cancel, or a state that the status is moved to. Returns the
 * document.
 */
async function applyWorkflow({ context, response, args }: MethodCall): Promise<unknown> {
  const doc = objectParameter(args.doc, 'doc')
  const definition = recordDoctype(context, response, doc.doctype)
  const id = recordName(definition, doc.name)
  const { record } = await moved(context, definition, id, nameOf(args.action, 'action'))
  return shownFor(context, definition, record)
}

async function moved(
  context: Context,
  definition: DocTypeDefinition,
  id: string,
  action: string,
): Promise<DocumentResult> {
  const field = definition.behaviour.status?.field
  const state = statesOf(definition).find((one) => one.toLowerCase() === action.toLowerCase())
  const isDeclared = isTransition(action) || actionNamed(definition, action) !== undefined
  if (isDeclared || field === undefined || state === undefined)
    return runDocumentMethod(context, definition, id, action)
  const { record } = await getDocument(context, definition, id)
  const change = record.docstatus === 1 ? reviseDocument : updateDocument
  return change(context, definition, id, { [field]: state })
}

function statesOf({ behaviour: { status } }: DocTypeDefinition): readonly string[] {
  return Object.values(status?.flow ?? {}).flat()
}

/** Statuses the caller may move a document to from its present one: rows of the workflow's transitions. */
async function getTransitions({ context, response, args }: MethodCall): Promise<unknown> {
  const doc = objectParameter(args.doc, 'doc')
  const definition = recordDoctype(context, response, doc.doctype)
  const { record } = await getDocument(context, definition, recordName(definition, doc.name))
  const { status } = definition.behaviour
  const field = definition.fields.find(({ name }) => name === status?.field)
  const isOpen = Number(record.docstatus ?? 0) === 0 || field?.allowOnSubmit === true
  if (!field || !isOpen) return []
  return openMoves(context, definition, record[field.name]).map(({ from, to, roles }) => ({
    state: from,
    action: to,
    next_state: to,
    allowed: roles?.find((role) => context.actor.roles.includes(role)) ?? roles?.[0] ?? ALL_ROLE,
  }))
}

import { AppError } from '../../../engine/base/errors.ts'
import { isObject } from '../../../engine/base/json-text.ts'
import { sendJson } from '../../http/answer.ts'
import { runDocumentMethod } from '../act.ts'
import { isGiven } from '../args.ts'
import { recordDoctype, recordName } from '../call.ts'
import { objectParameter, parsedParameter } from '../json-text.ts'
import { nameOf } from '../name-of.ts'
import { shownFor } from '../shown-record.ts'
import { ANSWERED, type MethodCall, type Methods } from './method.ts'

/** Methods by which Frappe's forms run a method of a document, and a report. */
export const DOCUMENT_METHODS: Methods = {
  run_doc_method: { verbs: ['POST'], access: 'user', run: runDocMethod },
  'frappe.desk.query_report.run': { verbs: ['GET', 'POST'], access: 'user', run: runReport },
}

/** `{message, docs: [document]}`: forms take the changed document from `docs`. */
async function runDocMethod({ context, response, args }: MethodCall): Promise<unknown> {
  const doc = isGiven(args.docs) ? objectParameter(args.docs, 'docs') : undefined
  const definition = recordDoctype(context, response, doc?.doctype ?? args.dt)
  const id = recordName(definition, doc?.name ?? args.dn ?? args.dt)
  const sent = isGiven(args.args) ? parsedParameter(args.args, 'args') : {}
  const method = nameOf(args.method, 'method')
  const { record } = await runDocumentMethod(
    context,
    definition,
    id,
    method,
    isObject(sent) ? sent : {},
  )
  const shown = shownFor(context, definition, record)
  sendJson(response, 200, JSON.stringify({ message: shown, docs: [shown] }))
  return ANSWERED
}

async function runReport({ args }: MethodCall): Promise<never> {
  throw new AppError('NOT_FOUND', `Report ${nameOf(args.report_name, 'report_name')} not found`)
}

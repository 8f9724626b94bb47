import {
  conditionInWords,
  DOCSTATUS_WORDS,
  docstatusAsked,
} from '../../rules/base/condition-words.ts'
import { messageText } from '../../rules/base/message.ts'
import { linkRecords } from '../../rules/base/reads.ts'
import type { ActionPlan } from '../../rules/steps/actions.ts'
import { valueIn } from '../../storage/database/document.ts'
import { environmentOf, type StepScope, settled } from './step-values.ts'

/**
 * Why an action whose `when` does not hold is not possible, in words: that the document is a draft or cancelled, what
 * the action declares, or the condition by the labels of its fields.
 */
export async function whyImpossible(scope: StepScope, plan: ActionPlan): Promise<string> {
  const { definition } = scope.entry.parts
  const doc = scope.entry.current!
  const { when } = plan.declared
  const asked = when === undefined ? undefined : docstatusAsked(when)
  if (asked !== undefined && asked !== Number(doc.docstatus))
    return `it is ${DOCSTATUS_WORDS[Number(doc.docstatus)]}, and has to be ${DOCSTATUS_WORDS[asked]}`
  const { message } = plan
  if (message)
    return settled(scope, () => {
      const environment = environmentOf(scope, {})
      const linked = linkRecords(message.paths, doc, scope.work.reads)
      const records = { ...linked, ...environment.records }
      return messageText(message.text, doc, { ...environment, records })
    })
  const words = when === undefined ? undefined : conditionInWords(when, definition)
  const possible =
    words === undefined ? 'it is not possible now' : `it is possible only while ${words}`
  const { status } = definition.behaviour
  const state = status && valueIn(doc, status.field)
  return typeof state === 'string' ? `${possible}; it is ${state} now` : possible
}

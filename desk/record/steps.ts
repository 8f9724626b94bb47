import type { RecordData, ResourceInfo } from '../data/types.ts'
import { WORDS } from '../words/en.ts'
import { sentenceCase } from '../words/sentence-case.ts'
import { holds } from './condition.ts'

/** Something that can be done with a record as it stands. */
export interface NextStep {
  readonly verb: 'submit' | 'cancel' | 'amend' | 'delete' | 'action'
  readonly label: string
  readonly hint?: string | undefined
  /** Parts of its path behind the record's. */
  readonly path: readonly string[]
  /** Why it is not possible now. */
  readonly why?: string | undefined
  /** What is said before it is done; without it, it is done at once. */
  readonly warning?: string
  readonly isDanger?: boolean
}

/** The one next thing to do with a record, and the others. */
export interface Steps {
  readonly next: NextStep | undefined
  readonly others: readonly NextStep[]
}

/** What can be done with a record: the next thing is to submit it, then the first action that makes a document. */
export function stepsOf(resource: ResourceInfo, record: RecordData, can: readonly string[]): Steps {
  const { submittable } = resource
  const status = submittable ? record.docstatus : undefined
  const actions = actionsOf(resource, record)
  const submit: NextStep | undefined =
    status === 0 && can.includes('submit')
      ? { verb: 'submit', label: WORDS.submit, path: ['submit'], warning: WORDS.sureSubmit }
      : undefined
  const creating = actions.find(
    ({ step, creates }) => status === 1 && creates && step.why === undefined,
  )?.step
  const next = submit ?? creating
  const others = actions.map(({ step }) => step).filter((step) => step !== next)
  if (status === 1 && can.includes('cancel'))
    others.push({
      verb: 'cancel',
      label: WORDS.cancel,
      path: ['cancel'],
      warning: WORDS.sureCancel,
      isDanger: true,
    })
  if (status === 2) others.push({ verb: 'amend', label: WORDS.amend, path: ['amend'] })
  if (status !== 1 && can.includes('delete') && !resource.read_only)
    others.push({
      verb: 'delete',
      label: WORDS.delete,
      path: [],
      warning: WORDS.sureDelete(record.id),
      isDanger: true,
    })
  return { next, others }
}

function actionsOf({ actions }: ResourceInfo, record: RecordData) {
  return actions
    .filter(({ input }) => input.every(({ required }) => !required))
    .map(({ name, label, description, when, creates }) => {
      // Where the Desk cannot tell, the server does when it is tried.
      const isPossible = holds(when, record) !== false
      const step: NextStep = {
        verb: 'action',
        label: sentenceCase(label),
        hint: description,
        path: ['actions', name],
        ...(isPossible ? {} : { why: description ?? '' }),
      }
      return { step, creates: creates.length > 0 && holds(when, record) === true }
    })
}

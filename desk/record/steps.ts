import type { ActionInfo, FieldInfo, RecordData, ResourceInfo } from '../data/types.ts'
import { WORDS } from '../words/en.ts'
import { sentenceCase } from '../words/sentence-case.ts'

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
  /** What it has to be told; without it, it is told nothing. */
  readonly input?: readonly FieldInfo[]
  /** Whether it makes another document. */
  readonly creates?: boolean
}

/** The one next thing to do with a record, and the others. */
export interface Steps {
  readonly next: NextStep | undefined
  readonly others: readonly NextStep[]
}

/** What can be done with a record, and of what cannot why: `_can` says so. */
export function stepsOf({ slug, submittable, actions }: ResourceInfo, record: RecordData): Steps {
  const can = record._can
  if (!can) return { next: undefined, others: [] }
  const steps: NextStep[] = []
  const add = (may: true | string | null | undefined, step: NextStep): void => {
    if (may === null || may === undefined) return
    steps.push(may === true ? step : { ...step, why: may })
  }
  const status = submittable ? record.docstatus : undefined
  if (status === 0)
    add(can.submit, {
      verb: 'submit',
      label: WORDS.submit,
      path: ['submit'],
      warning: WORDS.sureSubmit,
    })
  for (const action of actions) {
    const { name, label, description, creates, input } = action
    add(can.actions[name], {
      verb: 'action',
      label: sentenceCase(label),
      hint: description,
      path: ['actions', name],
      // What takes a document back makes one of its own kind; it is never what comes next.
      creates: creates.some((one) => one !== slug),
      ...(takesNothing(action) ? {} : { input }),
    })
  }
  if (status === 1)
    add(can.cancel, {
      verb: 'cancel',
      label: WORDS.cancel,
      path: ['cancel'],
      warning: WORDS.sureCancel,
      isDanger: true,
    })
  if (status === 2) add(can.amend, { verb: 'amend', label: WORDS.amend, path: ['amend'] })
  if (status !== 1)
    add(can.delete, {
      verb: 'delete',
      label: WORDS.delete,
      path: [],
      warning: WORDS.sureDelete(record.id),
      isDanger: true,
    })
  const next = steps.find(
    ({ verb, why, creates, input }) =>
      why === undefined &&
      input === undefined &&
      (verb === 'submit' || (status === 1 && creates === true)),
  )
  return { next, others: steps.filter((step) => step !== next) }
}

function takesNothing({ input }: ActionInfo): boolean {
  return input.every(({ required }) => !required)
}

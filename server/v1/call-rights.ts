import { type Action, can } from '../../engine/access/can.ts'
import type { DocTypeDefinition } from '../../engine/definition/model/definition.ts'
import type { Context } from '../../engine/documents/work/context.ts'

/** What `can` says of a resource, and the right that it stands for. */
const RIGHTS = {
  read: 'read',
  create: 'create',
  update: 'update',
  delete: 'delete',
  submit: 'submit',
  cancel: 'cancel',
  amend: 'amend',
  export: 'export',
  import: 'create',
} as const satisfies Record<string, Action>

type CanWord = keyof typeof RIGHTS

const OF_DOCUMENTS: ReadonlySet<string> = new Set(['submit', 'cancel', 'amend'])

/** What the caller may do with records of a DocType, with some of them at least (contract §7.1). */
export function canOf(
  context: Context,
  definition: DocTypeDefinition,
): Readonly<Record<CanWord, boolean>> {
  const words = Object.keys(RIGHTS) as CanWord[]
  return Object.fromEntries(
    words.map((word) => [
      word,
      (definition.submittable || !OF_DOCUMENTS.has(word)) && can(context, definition, RIGHTS[word]),
    ]),
  ) as Record<CanWord, boolean>
}

/** The same as the words of what is true. */
export function canWords(context: Context, definition: DocTypeDefinition): readonly string[] {
  return Object.entries(canOf(context, definition)).flatMap(([word, may]) => (may ? [word] : []))
}

import type { Request } from './ask.ts'
import type { Recipe } from './recipes.ts'

/** Step that a client takes with a document. */
export type Step = 'create' | 'change' | 'submit' | 'cancel' | 'remove'

/** A document of a client, as it was told of it. */
export interface Written {
  readonly recipe: Recipe
  /** By it the document is found when its creation was never answered. */
  readonly marker: string
  /** Undefined until its creation was answered. */
  id: string | undefined
  /** Text that was set last. */
  text: string | undefined
  docstatus: number
  /** Moment of its last change, as the server said it. */
  modified: string
  isRemoved: boolean
  /** Whether an answer to its creation was missing once: only then it may be there twice. */
  wasOpen: boolean
  /** A request whose outcome nobody knows; the document is left alone until somebody asks again. */
  open: { readonly request: Request; readonly step: Step } | undefined
  /** Whether the last look found what it was told. */
  isChecked: boolean
}

export function newDocument(recipe: Recipe, marker: string): Written {
  return {
    recipe,
    marker,
    id: undefined,
    text: undefined,
    docstatus: 0,
    modified: '',
    isRemoved: false,
    wasOpen: false,
    open: undefined,
    isChecked: false,
  }
}

/** Path of a document that is there. */
export function pathOf({ recipe: { slug }, id }: Written): string {
  return `/v1/${slug}/${encodeURIComponent(id ?? '')}`
}

/**
 * Takes in that a step was answered with success. Returns what is wrong with the answer: time that went backwards.
 */
export function takeIn(
  document: Written,
  step: Step,
  request: Request,
  body: Readonly<Record<string, unknown>>,
): string | undefined {
  const before = document.modified
  document.open = undefined
  document.isChecked = false
  if (step === 'remove') {
    document.isRemoved = true
    return undefined
  }
  document.id = String(body.id)
  document.docstatus = Number(body.docstatus ?? 0)
  document.modified = String(body.modified ?? '')
  const { changes } = document.recipe
  if (step === 'change' && changes !== undefined) document.text = String(request.body?.[changes])
  if (document.modified >= before) return undefined
  return `${pathOf(document)} was changed at ${document.modified}, before its last change at ${before}`
}

import type { Dice } from '../../engine/base/dice.ts'
import type { Request } from './ask.ts'
import type { Recipe } from './recipes.ts'
import { newDocument, pathOf, type Step, type Written } from './written.ts'

/** Client that writes documents of its own. */
export interface Client {
  readonly name: string
  readonly dice: Dice
  readonly own: Written[]
}

/** One step with one document, and the request that takes it. */
export interface Deed {
  readonly document: Written
  readonly request: Request
  readonly step: Step
}

/** What clients choose from, and how they name what they do. */
export interface Choices {
  readonly recipes: readonly Recipe[]
  /** Text that begins every marker. */
  readonly prefix: string
  /** A number that was not there before. */
  readonly count: () => number
  /** Whether documents of a recipe are made no more. */
  readonly isUsedUp: (recipe: Recipe) => boolean
}

/** Documents a client still comes back to. */
const RECENT = 6

/** Next step of a client: with one of its last documents, or with a new one. */
export function nextDeed(client: Client, choices: Choices): Deed {
  const { dice, own } = client
  const recent = own
    .slice(-RECENT)
    .filter(({ open, id, isRemoved }) => !open && !isRemoved && id !== undefined)
  if (recent.length === 0 || dice.chance(0.4)) return creation(client, choices)
  const document = dice.one(recent)
  const { changes, submits, cancels, removes } = document.recipe
  const path = pathOf(document)
  const isDraft = document.docstatus === 0
  const deed = (
    step: Step,
    method: Request['method'],
    at: string,
    body?: Request['body'],
  ): Deed => ({
    document,
    step,
    request: keyed(choices, method, at, body),
  })
  if (changes !== undefined && isDraft && dice.chance(0.5))
    return deed('change', 'PATCH', path, { [changes]: `${choices.prefix} ${choices.count()}` })
  if (submits && isDraft) return deed('submit', 'POST', `${path}/submit`)
  if (cancels && document.docstatus === 1 && dice.chance(0.3))
    return deed('cancel', 'POST', `${path}/cancel`)
  if (removes && isDraft && dice.chance(0.15)) return deed('remove', 'DELETE', path)
  return creation(client, choices)
}

function creation({ name, dice, own }: Client, choices: Choices): Deed {
  const { recipes, prefix, isUsedUp } = choices
  const usable = recipes.filter((recipe) => !isUsedUp(recipe))
  const recipe = dice.weighted(usable.length > 0 ? usable : recipes, ({ submits }) =>
    submits ? 3 : 1,
  )
  const document = newDocument(recipe, `${prefix}-${name}-${own.length + 1}`)
  own.push(document)
  const body = { ...recipe.body, [recipe.marker]: document.marker }
  return { document, step: 'create', request: keyed(choices, 'POST', `/v1/${recipe.slug}`, body) }
}

/** A request with a key of its own; a removal needs none. */
function keyed(
  { prefix, count }: Choices,
  method: Request['method'],
  path: string,
  body?: Request['body'],
): Request {
  const key = method === 'DELETE' ? {} : { key: `${prefix}-${count()}` }
  return { method, path, ...key, ...(body === undefined ? {} : { body }) }
}

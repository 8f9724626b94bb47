import type { Load } from './load.ts'
import { isOk, type Send, totalOf } from './recipes.ts'
import { pathOf, type Written } from './written.ts'

/** What was looked for and found, once nothing is under way. */
export interface Tally {
  /** Documents that clients were told of, and what they were told is there. */
  readonly known: number
  readonly found: number
  /** Sentences about what is not as it was answered. */
  readonly lost: readonly string[]
  /** Sentences about what is there more often than it was asked for. */
  readonly twice: readonly string[]
}

/** Documents that are looked at once. */
const AT_ONCE = 8

/**
 * Looks for every document that was written since the last look, as its last answer showed it, and for documents that
 * nobody was told of.
 */
export async function tally(load: Load, send: Send): Promise<Tally> {
  const fresh = load.documents().filter(({ isChecked, id }) => !isChecked && id !== undefined)
  const lost: string[] = []
  for (let start = 0; start < fresh.length; start += AT_ONCE)
    await Promise.all(
      fresh.slice(start, start + AT_ONCE).map(async (document) => {
        const problem = await look(document, send)
        if (problem !== undefined) lost.push(problem)
        document.isChecked = true
      }),
    )
  const twice = await surplus(load, send)
  return { known: fresh.length, found: fresh.length - lost.length, lost, twice }
}

async function look(document: Written, send: Send): Promise<string | undefined> {
  const { isRemoved, docstatus, text, recipe } = document
  const path = pathOf(document)
  const answer = await send({ method: 'GET', path })
  if (isRemoved) return isOk(answer) ? `${path} was removed, and is there` : undefined
  if (!isOk(answer)) return `${path} was answered, and is not there`
  const { body = {} } = answer
  if (body[recipe.marker] !== document.marker)
    return `${path}: ${recipe.marker} is ${JSON.stringify(body[recipe.marker])}, not ${JSON.stringify(document.marker)}`
  if (Number(body.docstatus ?? 0) !== docstatus)
    return `${path}: docstatus is ${String(body.docstatus)}, the answer said ${docstatus}`
  if (recipe.changes !== undefined && text !== undefined && body[recipe.changes] !== text)
    return `${path}: ${recipe.changes} is ${JSON.stringify(body[recipe.changes])}, the answer said ${JSON.stringify(text)}`
  return undefined
}

/** Documents that bear a marker and were answered to nobody; those with an open question are counted in. */
async function surplus(load: Load, send: Send): Promise<readonly string[]> {
  const twice: string[] = []
  for (const document of load.documents()) {
    const { wasOpen, recipe, marker, isRemoved } = document
    if (!wasOpen) continue
    const filter = `&${recipe.marker}=${encodeURIComponent(marker)}`
    const total = await totalOf(send, recipe.slug, filter)
    if (total > (isRemoved ? 0 : 1)) twice.push(`${recipe.slug} ${marker} is there ${total} times`)
    document.wasOpen = false
  }
  return twice
}

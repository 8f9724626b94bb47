import { validationError } from '../../engine/base/errors.ts'
import { createDocument } from '../../engine/documents/operations/create.ts'
import type { Db } from '../../engine/storage/database/database.ts'
import { countInHour } from '../site/hourly-limit.ts'
import { FORM_ACTOR, type Site } from '../site/site.ts'
import type { SharedRecord } from './links.ts'

/** Longest question, and longest name of who asks. */
const LONGEST = 2_000
const LONGEST_NAME = 140

/** Questions by one link in an hour. */
const MOST_AN_HOUR = 10

/** A question that somebody without an account asks about a record. */
export interface Question {
  readonly name: string
  readonly text: string
}

/** Whether questions can be kept: some DocType serves comments. */
export function takesQuestions({ engine }: Pick<Site, 'engine'>): boolean {
  return engine.services.registry.serving('comments') !== undefined
}

/** Keeps a question as a comment on the record. Throws 422, RATE_LIMITED. */
export async function keepQuestion(
  site: Site,
  { definition, id, link }: SharedRecord,
  { name, text }: Question,
): Promise<void> {
  const { engine } = site
  const { services } = engine
  const comments = services.registry.serving('comments')
  const about = comments?.fields.find(({ linkFrom }) => linkFrom !== undefined)
  const told = text.trim()
  if (told === '' || told.length > LONGEST)
    throw validationError([
      { field: 'text', message: `expected 1 to ${LONGEST} characters`, code: 'out_of_range' },
    ])
  if (!comments || !about) return
  const who = name.trim().slice(0, LONGEST_NAME)
  const context = {
    ...engine.context(FORM_ACTOR, await engine.tier()),
    beforeCommit: (tx: Db) =>
      countInHour(tx, services, { what: 'questions', of: link, limit: MOST_AN_HOUR }),
  }
  await createDocument(context, comments, {
    [about.linkFrom!]: definition.doctype,
    [about.name]: id,
    [comments.titleField]: `${who === '' ? 'A question by the link' : `${who} asks by the link`}: ${told}`,
  })
}

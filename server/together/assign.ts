import { type Detail, validationError } from '../../engine/base/errors.ts'
import type { DocTypeDefinition } from '../../engine/definition/model/definition.ts'
import { createWithin } from '../../engine/documents/operations/create.ts'
import { runTogether } from '../../engine/documents/operations/operation.ts'
import { knownParts, mayWith } from '../../engine/documents/rights/door.ts'
import { aboutOf } from '../../engine/documents/together/about.ts'
import type { Context } from '../../engine/documents/work/context.ts'
import type { Db } from '../../engine/storage/database/database.ts'
import type { Doc } from '../../engine/storage/database/document.ts'
import { actorOf, findPerson } from '../auth/people.ts'

/** Who is to do what about a record. */
export interface Assignment {
  /** The record. */
  readonly definition: DocTypeDefinition
  readonly doc: Doc
  readonly to: readonly string[]
  /** By itself the title of the record. */
  readonly description: string | undefined
  /** Day by which it is to be done. */
  readonly due: string | undefined
  /** Keeps the answer in the transaction of the to-dos. */
  readonly keep: (tx: Db, made: readonly string[]) => Promise<void>
}

/**
 * Makes a to-do about a record for each of some people, all or none; answers with the JSON texts of the to-dos. Throws 422
 * that names who is not there, or may not read the record.
 */
export async function assignRecord(
  context: Context,
  todos: DocTypeDefinition,
  { definition, doc, to, description, due, keep }: Assignment,
): Promise<readonly string[]> {
  await assertReaders(context, definition, doc, to)
  const parts = context.services.partsOf(todos)
  const { validator } = knownParts(context, parts)
  const about = aboutOf(todos)!
  const title = doc[definition.titleField]
  const made = await runTogether(
    context,
    async (work) => {
      const done = []
      for (const login of to)
        done.push(
          await createWithin(
            work,
            parts,
            validator.judge('create', {
              [todos.titleField]: description ?? (typeof title === 'string' ? title : doc.name),
              allocated_to: login,
              [about.kind]: definition.doctype,
              [about.record]: doc.name,
              ...(due === undefined ? {} : { date: due }),
            }),
          ),
        )
      return done
    },
    (results, tx) =>
      keep(
        tx,
        results.map(({ json }) => json),
      ),
  )
  return made.map(({ json }) => json)
}

async function assertReaders(
  { services, tier, plans, grants }: Context,
  definition: DocTypeDefinition,
  { name }: Doc,
  logins: readonly string[],
): Promise<void> {
  const details: Detail[] = []
  for (const [at, login] of logins.entries()) {
    const person = await findPerson(services, login)
    const field = `to[${at}]`
    if (!person?.enabled) {
      const message = `there is nobody with the login ${JSON.stringify(login.slice(0, 80))}`
      details.push({ field, message, code: 'no_such_record' })
      continue
    }
    const theirs: Context = { services, plans, grants, tier, actor: actorOf(person) }
    if (await mayWith(theirs, definition, name, 'read')) continue
    const message = `${login} may not read this record; give it to somebody who may`
    details.push({ field, message, code: 'not_permitted' })
  }
  if (details.length > 0) throw validationError(details)
}

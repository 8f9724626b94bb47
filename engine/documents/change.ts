import { isoDateTime } from '../base/clock.ts'
import { AppError, type Detail, validationError } from '../base/errors.ts'
import type { EventKind } from '../events/log.ts'
import { uniqueViolation } from '../storage/conflict.ts'
import type { Db } from '../storage/database.ts'
import type { Doc } from '../storage/document.ts'
import type { Context, DocTypeParts, DocumentResult } from './context.ts'
import { readLinked } from './linked.ts'
import { nameFor } from './naming.ts'
import { presentResult } from './present.ts'
import { sealSecrets } from './secrets.ts'

/** One write of one record: its image before (none for a create) and the wanted one. */
export interface Change {
  readonly parts: DocTypeParts
  readonly before?: Doc
  readonly after: Doc
  readonly kind: EventKind
  /** Name the client gave, where naming is `prompt`, or that the operation decided (amend). */
  readonly name?: string
  readonly nameIsFinal?: boolean
}

/**
 * The shared tail of every write, inside its transaction: linked records → rules → checks → name → rows →
 * search → event → sinks (house.md, "One request"). Throws VALIDATION_ERROR with all problems at once;
 * nothing has been written then.
 */
export async function applyChange(
  tx: Db,
  context: Context,
  change: Change,
): Promise<DocumentResult> {
  const { services, actor } = context
  const { parts, before, after, kind } = change
  const { definition, rules, store, presenter } = parts
  const now = isoDateTime(services.clock)
  const at = before && before.modified > now ? before.modified : now
  const environment = rules.environment(at, actor.name)

  const { linked, problems } = await readLinked(tx, services, parts, before, after)
  const failures = rules.compute(after, before, linked, environment)
  refuse([...problems, ...failures, ...rules.problems(after, before, environment)])

  sealSecrets(services, parts, before, after)
  after.modified = at
  after.modified_by = actor.name
  if (before) {
    after.version = before.version + 1
    await guardUnique(parts, after, () => store.update(tx, before, after))
    await services.search.update(tx, definition, before, after)
  } else {
    after.created = at
    after.owner = actor.name
    after.name = change.nameIsFinal
      ? (change.name ?? '')
      : await nameFor(tx, services, definition, after, change.name)
    await guardUnique(parts, after, () => store.insert(tx, after))
    await services.search.insert(tx, definition, after)
  }

  const result = presentResult(presenter, after)
  await recordEvent(tx, context, parts, { kind, id: after.name, at, json: result.json })
  await context.beforeCommit?.(tx, result)
  return result
}

/** Logs what happened and hands it to the sinks, all in the change's own transaction. */
export async function recordEvent(
  tx: Db,
  { services, actor }: Context,
  { definition }: DocTypeParts,
  { kind, id, at, json }: { kind: EventKind; id: string; at: string; json: string },
): Promise<void> {
  const event = await services.events.append(tx, {
    resource: definition.slug,
    kind,
    record_id: id,
    at,
    actor: actor.name,
    data: json,
  })
  for (const sink of services.sinks) await sink(tx, event)
}

function refuse(problems: readonly Detail[]): void {
  if (problems.length > 0) throw validationError(problems)
}

/** A unique index is the one judge that two writers at once cannot pass; its refusal becomes a 409. */
async function guardUnique(
  { definition, store }: DocTypeParts,
  doc: Doc,
  write: () => Promise<void>,
): Promise<void> {
  try {
    await write()
  } catch (error) {
    const violation = uniqueViolation(error)
    if (!violation || violation.table !== store.plan.table) throw error
    if (violation.column === 'name') {
      throw new AppError(
        'CONFLICT',
        `${definition.label} ${JSON.stringify(doc.name)} already exists`,
        {
          details: [{ field: definition.idField, message: 'is taken' }],
        },
      )
    }
    throw new AppError(
      'CONFLICT',
      `another ${definition.label} already has this ${violation.column}`,
      {
        details: [{ field: violation.column, message: 'must be unique' }],
      },
    )
  }
}

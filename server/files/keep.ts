import { planOf } from '../../engine/access/plans.ts'
import { isoDateTime } from '../../engine/base/clock.ts'
import { AppError } from '../../engine/base/errors.ts'
import { uuidV7 } from '../../engine/base/ids.ts'
import type { DocTypeDefinition } from '../../engine/definition/model/definition.ts'
import { createDocument } from '../../engine/documents/operations/create.ts'
import type { Context, Services } from '../../engine/documents/work/context.ts'
import type { DocumentResult } from '../../engine/documents/work/present.ts'
import { cleanFileName, shortFileName } from '../../engine/fields/clean-file-name.ts'
import { typeOfContent } from './content-type.ts'
import type { Files } from './files.ts'
import type { Received } from './receive.ts'
import { dropContent, insertStored, roomTaken, touchContent } from './store.ts'

/** Most characters that a name takes in an address, whose field has 1,000. */
const LONGEST_WRITTEN = 900

/** A record that a file is attached to, and the field of it, where it is for one. */
export interface Attached {
  readonly doctype: string
  readonly name: string
  readonly field?: string | undefined
}

/** What was said about a file that has arrived. */
export interface FileInput {
  readonly name: string
  readonly isPrivate: boolean
  readonly folder?: string | undefined
  readonly attached?: Attached | undefined
  /** Throws for a content of a type that is not wanted there. */
  readonly assertType?: (type: string) => void
}

/** The DocType whose records are files. Throws NOT_FOUND where no DocType serves files. */
export function filesOf({ registry }: Pick<Services, 'registry'>): DocTypeDefinition {
  const definition = registry.serving('files')
  if (definition) return definition
  throw new AppError('NOT_FOUND', 'this workspace keeps no files: no DocType serves files')
}

/** Bytes of the largest file that the caller may bring, by the plan of the workspace. */
export function largestFile({ plans, tier }: Pick<Context, 'plans' | 'tier'>): number {
  return planOf(plans, tier).files.largest_mb * 1_000_000
}

/**
 * Makes the record of a file that has arrived, and puts its content where contents are: once, however many records hold
 * it. Who may read the record that it is attached to may read it. Throws 401/403, 422, and 403 where the plan has no
 * room; nothing is left then.
 */
export async function keepFile(
  context: Context,
  { contents }: Files,
  received: Received,
  input: FileInput,
): Promise<DocumentResult> {
  const { database, clock } = context.services
  const { hash, size } = received
  const type = await typeOfContent(received.path)
  input.assertType?.(type)
  await assertRoom(context, received)
  const touched = await database.write((tx) => touchContent(tx, { hash, size, now: clock.now() }))
  try {
    await contents.put(received)
    const record = uuidV7(clock.now())
    return await createDocument(
      {
        ...context,
        async beforeCommit(tx, result) {
          await insertStored(tx, { record, hash, size, type, created: isoDateTime(clock) })
          await context.beforeCommit?.(tx, result)
        },
      },
      filesOf(context.services),
      bodyOf(record, received, input),
      record,
    )
  } catch (error) {
    await database.write(async (tx) => {
      if (await dropContent(tx, hash, touched + 1)) await contents.remove(hash)
    })
    throw error
  }
}

/** The record as its DocType takes it. */
function bodyOf(record: string, { hash, size }: Received, input: FileInput): object {
  const { isPrivate, attached, folder } = input
  const name = cleanFileName(input.name)
  return {
    file_name: name,
    file_url: `${isPrivate ? '/private/files' : '/files'}/${record}/${nameInAddress(name)}`,
    is_private: isPrivate,
    file_size: size,
    content_hash: hash,
    ...(folder === undefined ? {} : { folder }),
    ...(attached && {
      attached_to_doctype: attached.doctype,
      attached_to_name: attached.name,
      ...(attached.field === undefined ? {} : { attached_to_field: attached.field }),
    }),
  }
}

/** The name in the address of a file, which is for people: 70 signs fit into one however they are written. */
function nameInAddress(name: string): string {
  const written = encodeURIComponent(name)
  return written.length <= LONGEST_WRITTEN ? written : encodeURIComponent(shortFileName(name, 70))
}

/** What is there already takes no more room. Throws FORBIDDEN. */
async function assertRoom(
  { services: { database }, plans, tier }: Context,
  { hash, size }: Received,
): Promise<void> {
  const { label, files } = planOf(plans, tier)
  const { bytes, isKnown } = await roomTaken(database.read, hash)
  if (isKnown || bytes + size <= files.total_gb * 1_000_000_000) return
  throw new AppError(
    'FORBIDDEN',
    `the ${label} plan has room for ${files.total_gb} GB of files, which are taken: delete some, or take a larger plan`,
  )
}

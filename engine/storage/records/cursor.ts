import { createHmac, createSecretKey, timingSafeEqual } from 'node:crypto'

/** Position of a walk: the sort value (as kept in the column) and rid of the last row shown. */
export interface Position {
  readonly value: SortValue
  readonly rid: number
  /** Values of the further fields that it is sorted by. */
  readonly more?: readonly SortValue[]
}

/** A value of a sorted column, as it is kept. */
export type SortValue = string | bigint | null

/**
 * Opaque cursors (contract §3): signed, and tied to the list they came from by `list`, a text that is the
 * same for the same resource, sort and filters.
 */
export interface Cursors {
  write(list: string, position: Position): string
  /** Position in a cursor; undefined for one that is not ours, was changed, or belongs to another list. */
  read(list: string, cursor: string): Position | undefined
}

const SIGNATURE_BYTES = 15
/** Longest cursor: room for a text of 1000 characters of any script; a URL of 16 KB still takes it. */
const MAX_LENGTH = 8192

/** Cursors signed with `key`, the workspace's secret key. */
export function cursors(key: Buffer): Cursors {
  // Made once: turning bytes into a key costs more than signing with it.
  const secret = createSecretKey(key)

  function sign(list: string, payload: string): Buffer {
    return createHmac('sha256', secret)
      .update(`cursor\n${list.length}\n${list}\n${payload}`)
      .digest()
      .subarray(0, SIGNATURE_BYTES)
  }

  return {
    write(list, { value, rid, more }) {
      const parts = [keptValue(value), rid, ...(more ? [more.map(keptValue)] : [])]
      const payload = Buffer.from(JSON.stringify(parts)).toString('base64url')
      return `${payload}.${sign(list, payload).toString('base64url')}`
    },
    read(list, cursor) {
      if (cursor.length > MAX_LENGTH) return undefined
      const [payload, signature, ...rest] = cursor.split('.')
      if (payload === undefined || signature === undefined || rest.length > 0) return undefined
      const given = Buffer.from(signature, 'base64url')
      // Bits beyond the last whole byte are dropped by the decoder; only the text that we wrote is ours.
      if (given.toString('base64url') !== signature) return undefined
      if (given.length !== SIGNATURE_BYTES || !timingSafeEqual(given, sign(list, payload)))
        return undefined
      const [kept, rid, more] = JSON.parse(Buffer.from(payload, 'base64url').toString()) as [
        KeptValue,
        number,
        (readonly KeptValue[])?,
      ]
      return { value: sortValue(kept), rid, ...(more ? { more: more.map(sortValue) } : {}) }
    },
  }
}

type KeptValue = { readonly n: string } | string | null

function keptValue(value: SortValue): KeptValue {
  return typeof value === 'bigint' ? { n: value.toString() } : value
}

function sortValue(kept: KeptValue): SortValue {
  return kept !== null && typeof kept === 'object' ? BigInt(kept.n) : kept
}

/** What names a list: its resource, sort, conditions. */
export type ListPart = string | number | boolean | bigint | null | undefined | readonly ListPart[]

/** A text that names a list, for `list` above. */
export function listFingerprint(parts: readonly ListPart[]): string {
  return JSON.stringify(parts.map(writable))
}

/** JSON has no bigint; a replacer would be asked of every part. */
function writable(part: ListPart): ListPart {
  if (typeof part === 'bigint') return `${part}n`
  return Array.isArray(part) ? part.map(writable) : part
}

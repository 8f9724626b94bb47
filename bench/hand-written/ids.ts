import { randomFillSync } from 'node:crypto'

/** Random bytes are drawn in blocks: a call into the system costs more than the bytes. */
const pool = { bytes: Buffer.alloc(4096), used: 4096 }

function random(count: number): Buffer {
  if (pool.used + count > pool.bytes.length) {
    randomFillSync(pool.bytes)
    pool.used = 0
  }
  pool.used += count
  return pool.bytes.subarray(pool.used - count, pool.used)
}

/** `evt_`, nine characters of time, twenty random ones. */
export function newEventId(): string {
  return newPrefixedId('evt')
}

/** Id with a prefix: nine characters of time, twenty random ones. */
export function newPrefixedId(prefix: string): string {
  return `${prefix}_${Date.now().toString(36).padStart(9, '0')}${random(10).toString('hex')}`
}

export function newRowId(): string {
  return random(10).toString('hex')
}

/** UUID version 7. */
export function newUuid(): string {
  const bytes = random(16)
  bytes.writeUIntBE(Date.now(), 0, 6)
  bytes[6] = 0x70 | (bytes[6]! & 0x0f)
  bytes[8] = 0x80 | (bytes[8]! & 0x3f)
  const hex = bytes.toString('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}

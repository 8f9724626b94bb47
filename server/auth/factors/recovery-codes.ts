import { hash, randomBytes } from 'node:crypto'
import type { Db } from '../../../engine/storage/database/database.ts'
import { replaceCodes } from './factor-store.ts'

const COUNT = 10

/** Letters and digits that nobody mistakes for one another. */
const ALPHABET = 'abcdefghjkmnpqrstuvwxyz23456789'
const FORM = new RegExp(`^[${ALPHABET}]{16}$`)

/**
 * Ten new recovery codes in place of those before, as `abcd-efgh-jkmn-pqrs`; each works once and is seen this once.
 * With 79 random bits a plain hash keeps them.
 */
export async function issueCodes(tx: Db, login: string): Promise<readonly string[]> {
  const codes = Array.from({ length: COUNT }, newCode)
  await replaceCodes(
    tx,
    login,
    codes.map((code) => codeHash(code)!),
  )
  return codes
}

/** Hash by which a code is kept, however it was typed; undefined for what has not the form of one. */
export function codeHash(text: string): string | undefined {
  const code = text.toLowerCase().replace(/[\s-]/g, '')
  return FORM.test(code) ? hash('sha256', code) : undefined
}

function newCode(): string {
  let letters = ''
  while (letters.length < 16)
    for (const byte of randomBytes(20)) {
      // A byte beyond the last whole round of the alphabet would make some letters likelier.
      const isEven = byte < 256 - (256 % ALPHABET.length)
      if (isEven && letters.length < 16) letters += ALPHABET[byte % ALPHABET.length]
    }
  return letters.match(/.{4}/g)!.join('-')
}

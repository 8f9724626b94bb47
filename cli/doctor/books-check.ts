import { lastProof, proofSentence } from '../../engine/documents/verify/proof.ts'
import type { Database } from '../../engine/storage/database/database.ts'
import { ageOf, type Check, verdict } from './check.ts'

/** Age from which on a proof says little about the books of today, in ms. */
const OLD = 35 * 24 * 60 * 60 * 1000

/** Whether the books were proven, when, and what was found: the last result of `svc verify`. */
export async function booksCheck({ read }: Database): Promise<Check> {
  const proof = await lastProof(read)
  if (!proof) {
    const message = 'never proven: `svc verify` does it, SVC_VERIFY=nightly lets the server do it'
    return { name: 'books', state: 'ok', message, facts: { proven_at: null } }
  }
  const { at, documents, differences, whole } = proof
  const facts = { proven_at: at, documents, differences, whole_at: whole.at }
  const sentence = proofSentence(proof)
  const failures =
    differences > 0 ? [`${sentence}; \`svc verify\` names them, --repair rebuilds what it can`] : []
  const remarks = ageOf(at) > OLD ? [`${sentence}: long ago, run \`svc verify\` again`] : []
  return verdict('books', { failures, remarks }, sentence, facts)
}

import { defineHook, refuse } from '../engine/definition/model/hook.ts'

/** Most numbers: as many pieces as one bundle takes. */
const MOST = 1000
/** Characters of a number, or of a range of them. */
const LONGEST = 300

/**
 * The numbers of a text: one a line or between commas, or a range of them from the first to the last: `S-098..S-102`.
 * Both ends of a range have the same beginning and as many digits. Throws AppError.
 */
export const listedNumbers = defineHook({
  inputs: { text: 'str?' },
  reads: {},
  outputs: { number: 'str' },
  gives: 'rows',
  run({ text = '' }) {
    const parts = text.split(/[\n\r,;]/).map((part) => part.trim())
    const numbers = new Set<string>()
    for (const part of parts) {
      if (part === '') continue
      if (part.length > LONGEST) return refuse(`expected numbers, got ${part.length} characters`)
      for (const number of part.includes('..') ? rangeOf(part) : [part]) {
        if (numbers.has(number)) return refuse(`${number} stands twice`)
        numbers.add(number)
      }
      if (numbers.size > MOST)
        return refuse(
          `expected at most ${MOST} numbers, got ${numbers.size} so far; use several bundles`,
        )
    }
    return [...numbers].map((number) => ({ number }))
  },
})

function rangeOf(part: string): readonly string[] {
  const found = /^(.*?)(\d{1,9})\s*\.\.\s*(.*?)(\d{1,9})$/.exec(part)
  const [, before = '', first = '', again = '', last = ''] = found ?? []
  if (!found || before !== again || first.length !== last.length || Number(last) < Number(first))
    return refuse(`expected a range such as S-098..S-102, got ${part}`)
  const count = Number(last) - Number(first) + 1
  if (count > MOST) return refuse(`expected at most ${MOST} numbers, got ${count} in ${part}`)
  return Array.from(
    { length: count },
    (_, at) => `${before}${String(Number(first) + at).padStart(first.length, '0')}`,
  )
}

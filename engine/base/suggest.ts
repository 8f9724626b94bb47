/** The candidate that differs least from `word`, when it is near enough to be a slip; for "did you mean". */
export function suggest(word: string, candidates: Iterable<string>): string | undefined {
  const limit = Math.max(1, Math.floor(word.length / 3))
  let best: string | undefined
  let bestDistance = limit + 1
  for (const candidate of candidates) {
    if (Math.abs(candidate.length - word.length) >= bestDistance) continue
    const distance = editDistance(word.toLowerCase(), candidate.toLowerCase())
    if (distance < bestDistance) {
      best = candidate
      bestDistance = distance
    }
  }
  return best
}

/** Longest word that may be a slip of another. */
const LONGEST_SLIP = 60

/** ` (did you mean limit?)`, where a known name is like what was written; else nothing. */
export function nearest(word: string, known: readonly string[]): string {
  const near = word.length > LONGEST_SLIP ? undefined : suggest(word, known)
  return near === undefined ? '' : ` (did you mean ${near}?)`
}

/**
 * How far a candidate is from what was written, 0 for the same but for its case; undefined when it is nothing like it.
 * A part of the candidate, as `acme` is of `Acme Ltd`, is as good as a slip of one letter.
 */
export function likeness(written: string, candidate: string): number | undefined {
  const [word, whole] = [written.toLowerCase(), candidate.toLowerCase()]
  if (whole === word) return 0
  if (word.length >= SHORTEST_PART && whole.includes(word)) return 1
  // Of one or two letters a slip makes any other word.
  const limit = Math.floor(word.length / 3)
  if (Math.abs(whole.length - word.length) > limit) return undefined
  const distance = editDistance(word, whole)
  return distance > limit ? undefined : distance
}

/** Shorter parts stand in too many names. */
const SHORTEST_PART = 3

/** Levenshtein distance, one row of the table at a time. */
function editDistance(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 1; i <= a.length; i += 1) {
    const current = [i]
    for (let j = 1; j <= b.length; j += 1) {
      const substitution = previous[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1)
      current.push(Math.min(previous[j]! + 1, current[j - 1]! + 1, substitution))
    }
    previous = current
  }
  return previous[b.length]!
}

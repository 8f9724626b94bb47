/** Any origin will do: only whether a path leaves it is asked. */
const HERE = 'http://here.invalid'

const MAX_LENGTH = 2_000

/**
 * Path of this very origin to go on to (reliability.md S9); undefined for anything else, such as
 * `//evil.example`, which a browser takes for another host, or a text with characters it would drop.
 */
export function sameOriginPath(text: unknown): string | undefined {
  if (typeof text !== 'string' || text.length > MAX_LENGTH || !text.startsWith('/'))
    return undefined
  if (/[\p{Cc}\\]/u.test(text) || !URL.canParse(text, HERE)) return undefined
  const { origin, pathname, search, hash } = new URL(text, HERE)
  // A path may become `//…` only once its dots are resolved: `/.//evil.example`.
  if (origin !== HERE || pathname.startsWith('//')) return undefined
  return `${pathname}${search}${hash}`
}

/** People that one comment may mention. */
const MOST_MENTIONS = 20

const MENTION = /(?<![\w.@])@([\w.+-]+(?:@[\w-]+(?:\.[\w-]+)+)?)/g

/**
 * Logins that a text may mention, each once: `@ann`, `@ann@example.com`. A full stop behind a name belongs to the
 * sentence. Whether there are such people, and whether they may be told, is asked elsewhere.
 */
export function mentionsIn(text: string): readonly string[] {
  const found = new Set<string>()
  for (const [, login = ''] of text.matchAll(MENTION)) {
    const name = login.replace(/[.-]+$/, '')
    if (name !== '') found.add(name)
    if (found.size === MOST_MENTIONS) break
  }
  return [...found]
}

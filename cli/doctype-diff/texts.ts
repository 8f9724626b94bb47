/** One fact about a DocType: what it is about, and what is so of it. */
export interface Fact {
  /** Name that it keeps from one version to the next: `items.qty`, `Open → Closed`. */
  readonly key: string
  /** Word that people read for it. */
  readonly label?: string | undefined
  readonly aspects: Aspects
  /** Key it had before it was renamed. */
  readonly renamedFrom?: string | undefined
}

/** What is so, in words: `type` → `text`. */
export type Aspects = Readonly<Record<string, string>>

/** Aspects of what is declared; what is not, or is no, is left out. */
export function aspectsOf(said: Readonly<Record<string, unknown>>): Aspects {
  const aspects: Record<string, string> = {}
  for (const [name, value] of Object.entries(said)) {
    const text = value === false ? '' : textOf(value)
    if (text !== '') aspects[name] = text
  }
  return aspects
}

/** A declared value in one line: `credit = amount, debit = 0`; the order of keys is of no account. */
export function textOf(value: unknown): string {
  if (value === undefined || value === null) return ''
  if (value === true) return 'yes'
  if (value === false) return 'no'
  if (Array.isArray(value)) return value.map(textOf).join(', ')
  if (typeof value !== 'object') return String(value)
  return Object.entries(value)
    .filter(([, one]) => one !== undefined)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([key, one]) =>
      typeof one === 'object' && one !== null
        ? `${key} (${textOf(one)})`
        : `${key} = ${textOf(one)}`,
    )
    .join(', ')
}

/** Type with the same keys, each of which may be undefined. */
export type Loose<T> = { readonly [K in keyof T]: T[K] | undefined }

/** The object without the keys that are undefined. */
export function compact<T extends object>(loose: Loose<T>): T {
  const kept: Partial<T> = {}
  for (const key in loose) {
    const value = loose[key]
    if (value !== undefined) kept[key] = value
  }
  return kept as T
}

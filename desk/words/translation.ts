/** The Desk's own words in a language, by the names they have in English. */
export interface Translation {
  readonly [name: string]: Word
}

type Word =
  | string
  | readonly string[]
  | Readonly<Record<string, string>>
  | ((...parts: never[]) => string)

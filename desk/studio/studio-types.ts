/** A map of words, as the YAML of a definition has it. */
export interface Words {
  readonly [word: string]: unknown
}

/** A part of the grammar, as JSON Schema says it. */
export interface Grammar {
  readonly type?: string | readonly string[]
  readonly description?: string
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly $ref?: string
  readonly properties?: Readonly<Record<string, Grammar>>
  readonly additionalProperties?: Grammar | boolean
  readonly items?: Grammar
  readonly required?: readonly string[]
  readonly allOf?: readonly { readonly if?: Grammar; readonly then?: Grammar }[]
  readonly definitions?: Readonly<Record<string, Grammar>>
}

/** What `GET /v1/studio` answers. */
export interface StudioInfo {
  /** Why nothing can be saved, where that is so. */
  readonly writable: true | string
  readonly modules: readonly { readonly name: string; readonly label: string }[]
  readonly tiers: readonly string[]
  readonly types: readonly { readonly name: string; readonly meaning: string }[]
  readonly roles: readonly string[]
  readonly doctypes: readonly string[]
  readonly schema: Grammar
  readonly report_schema: Grammar
}

/** What `GET /v1/studio/{slug}` answers. */
export interface OpenedDefinition {
  readonly slug: string
  readonly doctype: string
  readonly kind: 'own' | 'overlay'
  readonly file: string
  readonly hash: string | null
  readonly definition: Words
  readonly base: Words | null
  readonly rights: Readonly<Record<string, readonly string[]>>
}

interface Place {
  readonly file: string
  readonly line: number
  readonly column: number
  readonly message: string
}

interface Cost {
  readonly sentence?: string
  readonly task?: string
  readonly rows: number
  readonly seconds: number
}

/** What `POST /v1/studio/trial` answers. */
export interface TrialAnswer {
  readonly ok: boolean
  readonly file: string
  readonly text: string | null
  readonly diff: readonly { readonly sign: ' ' | '+' | '-'; readonly text: string }[]
  readonly unsayable: readonly { readonly field: string; readonly message: string }[]
  readonly problems: readonly Place[]
  readonly warnings: readonly Place[]
  readonly migration: {
    readonly steps: readonly Cost[]
    readonly fills: readonly Cost[]
    readonly refused: readonly {
      readonly sentence: string
      readonly reason: string
      readonly remedy: string
    }[]
    readonly hints: readonly string[]
    readonly locks: string
  } | null
  readonly losses: readonly string[]
  readonly rights: readonly {
    readonly role: string
    readonly before: readonly string[]
    readonly after: readonly string[]
  }[]
}

/** What a save and an undo answer. */
export interface SavedAnswer {
  readonly slug: string | null
  readonly file: string
  readonly hash: string | null
}

/** What is wished of a definition. */
export interface Wish {
  readonly doctype: string
  readonly definition: Words
  readonly module_label?: string
}

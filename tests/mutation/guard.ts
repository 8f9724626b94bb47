/** One text that a mutation replaces; it has to stand in the file once. */
export interface Edit {
  readonly file: string
  readonly find: string
  readonly replace: string
}

/** A guard that is taken away. */
export interface Mutation {
  /** What nobody would be kept from then. */
  readonly why: string
  readonly edits: readonly Edit[]
  /** Test files of which one has to fail, the fastest first; without `.test.ts`. */
  readonly tests: readonly string[]
}

export const MATRIX = 'tests/security/authorization-matrix'
export const RIGHTS = 'tests/security/rights-matrix'
export const PEOPLE = 'tests/server/v1/people'
export const SIGN_IN = 'tests/server/auth/sign-in'
export const ROWS = 'tests/security/row-conditions'
export const LIMITS = 'tests/security/user-permissions'
export const AFTER_SUBMIT = 'tests/engine/documents/states'
export const FLOW = 'tests/engine/documents/flow-roles'
export const FOLLOWED = 'tests/security/followed-records'
export const FILLED = 'tests/engine/documents/filled-links'
export const HINTED = 'tests/engine/documents/hints'
export const INTERNAL = 'tests/server/internal-fields'
export const KEPT = 'tests/server/kept-fields'
export const METHODS = 'tests/server/api/client-methods'
export const PARAMETERS = 'tests/security/query-parameters'

/** What is replaced by what, in the file the guard stands in. */
export type Change = readonly [find: string, replace: string]
/** Who is kept from nothing without it, how it is taken away, and the test that notices. */
export type Guard = readonly [why: string, change: Change | readonly Edit[], test: string]

/** Where the condition of rows refuses who has no role for it as well, both are taken away. */
export const withRows = (file: string, find: string, replace = ''): readonly Edit[] => [
  {
    file: 'engine/documents/rights/row-rights.ts',
    find: '  if (roles.length === 0) return []\n',
    replace: '',
  },
  { file, find, replace },
]

/** Guards by the file they stand in. */
export type Guards = Readonly<Record<string, readonly Guard[]>>

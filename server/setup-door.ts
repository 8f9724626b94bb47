/** Door of a workspace that waits to be set up, for the setup page and methods; the process that serves it hands it in. */
export interface SetupDoor {
  /** Whether this is the token that was left for the first person; takes as long for any text. */
  accepts(token: string): boolean
  /** False once the workspace is set up, and its demo, where one was asked for, is played. */
  isOpen(): Promise<boolean>
  /** Choices there are: countries, currencies, charts of accounts, tiers. */
  options(): object
  /**
   * Sets the workspace up; gives the first person, their company and the admin key. Throws VALIDATION_ERROR with
   * every value that cannot be, CONFLICT for who comes second.
   */
  setUp(input: Readonly<Record<string, unknown>>): Promise<{ readonly user: string }>
  /** The demo company that this workspace gets instead of one of its own. */
  readonly demo: DemoDoor
}

/** How a demo company comes into a workspace that is empty. */
export interface DemoDoor {
  /** `ready` until somebody has gone in. */
  state(): 'none' | 'playing' | 'ready' | 'failed'
  /** Begins to play it, beside the server; who asks is its first person. Throws as `setUp` does. */
  begin(input: { readonly email: string; readonly password: string }): Promise<void>
  /** Login of the first person, once: who has the token goes in as them. */
  enter(): string | undefined
}

/** Door of a workspace that waits to be set up, for the setup methods; the process that serves it hands it in. */
export interface SetupDoor {
  /** Whether this is the token that was left for the first person; takes as long for any text. */
  accepts(token: string): boolean
  /** False once the workspace is set up. */
  isOpen(): Promise<boolean>
  /** Choices there are: countries, currencies, charts of accounts, tiers. */
  options(): object
  /**
   * Sets the workspace up; gives the first person, their company and the admin key. Throws VALIDATION_ERROR with
   * every value that cannot be, CONFLICT for who comes second.
   */
  setUp(input: Readonly<Record<string, unknown>>): Promise<object>
}

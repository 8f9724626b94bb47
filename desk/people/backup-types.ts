/** A backup as the API shows it. */
export interface KeptBackup {
  readonly id: string
  readonly created: string
  readonly bytes: number
}

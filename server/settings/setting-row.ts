/** A row of the documented table: how one variable is read and what it means. */
export interface SettingRow<T = unknown> {
  readonly variable: string
  /** The flag of `svc serve` that goes before the variable. */
  readonly flag?: string
  /** Form of a value, as the table shows it: `integer 0–65535`. */
  readonly type: string
  /** Text of the default, as it would be set; empty is "not set". */
  readonly default: string
  readonly meaning: string
  /** Throws an Error that says what was expected. */
  readonly read: (text: string) => T
}

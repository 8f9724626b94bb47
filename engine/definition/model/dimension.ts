/**
 * Dimension of the books (`dimension`): records of a DocType that others name by a field `as`, wherever they have the
 * field `beside`.
 */
export interface Dimension {
  readonly doctype: string
  readonly as: string
  readonly beside: string
}

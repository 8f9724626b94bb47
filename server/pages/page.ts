import type { PageAnswer, Visit } from './visit.ts'

/** A page: what it shows, and what its form does. */
export interface Page {
  /** Parameters of its address. */
  readonly parameters?: readonly string[]
  readonly show?: (visit: Visit) => PageAnswer | Promise<PageAnswer>
  readonly send?: (visit: Visit) => PageAnswer | Promise<PageAnswer>
  /**
   * Whether its form does something in the name of who is signed in, and so carries the session's token. Forms
   * for guests do not: somebody may sign in, in another window, before such a form is sent.
   */
  readonly actsForVisitor?: true
}

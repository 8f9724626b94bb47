import type { Detail } from './errors.ts'

/**
 * The words of problems that some clients tell apart (surface A has an exception class for each), beside the
 * questions that recognise them: whoever writes such a problem takes its words from here.
 */
export const IS_REQUIRED = 'is required'
export const NO_SUCH_RECORD = 'expected an existing'
export const CANCELLED_LINK = 'is cancelled; name a live one'

/** Whether the problem is a field that must have a value and has none. */
export function isMissing({ message }: Detail): boolean {
  return message === IS_REQUIRED || message.startsWith(`${IS_REQUIRED} when `)
}

/** Whether the problem is a link to what does not exist. */
export function isBrokenLink({ message }: Detail): boolean {
  return message.startsWith(NO_SUCH_RECORD)
}

/** Whether the problem is a link to a cancelled document. */
export function isCancelledLink({ message }: Detail): boolean {
  return message.endsWith(CANCELLED_LINK)
}

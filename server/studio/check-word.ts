/** First argument of a process that checks definitions, in the binary. */
export const CHECK_WORD = 'svc-check'

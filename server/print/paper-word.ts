/** First argument of a process that draws a paper as PDF, in the binary. */
export const PAPER_WORD = 'svc-paper'

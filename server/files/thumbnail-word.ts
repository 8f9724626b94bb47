/** First argument of a process that makes a thumbnail, in the binary. */
export const THUMBNAIL_WORD = 'svc-thumbnail'

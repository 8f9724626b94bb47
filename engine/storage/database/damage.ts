/** Result codes of SQLite for a file that is not as it was written. */
const DAMAGED = /^SQLITE_(CORRUPT|NOTADB)/

/**
 * What to do, in a sentence, where an error tells that the file of the database is damaged; undefined for any other. Nothing
 * is repaired: what SQLite can still read of it may be old or torn.
 */
export function damageAdvice(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined
  const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
  if (!DAMAGED.test(code)) return damageAdvice(error.cause)
  return `the database is damaged (${error.message}): stop all that uses it, keep the data folder as it is, look at the disk, and restore the last backup with \`svc restore FILE --force\``
}

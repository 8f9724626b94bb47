/**
 * Waits for all of these, also where one fails: what goes on in a transaction must not outlive its job. Throws the reason of the
 * first that failed.
 */
export async function allDone(promises: readonly Promise<unknown>[]): Promise<void> {
  const ends = await Promise.allSettled(promises)
  const failed = ends.find((end) => end.status === 'rejected')
  if (failed) throw failed.reason
}

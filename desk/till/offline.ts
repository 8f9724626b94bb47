/** Path of the script that keeps the Desk's own files for when the network is away (`build/desk-worker.ts`). */
const WORKER = '/service-worker.js'

/** Has the browser keep the Desk's own files, so that its page can be opened without the network. */
export async function keepOffline(): Promise<void> {
  // Only over HTTPS, and on this very machine, are there such workers.
  await navigator.serviceWorker?.register(WORKER).catch(() => undefined)
}

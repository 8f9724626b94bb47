/** What is kept of this build: the page all addresses of the Desk show, and the files it may load (`build/desk-worker.ts`). */
declare const DESK_PAGE: string
declare const DESK_FILES: readonly string[]

/** What this script uses of a service worker; the types of the browser's page have none of it. */
interface WorkerEvent extends Event {
  readonly request: Request
  waitUntil(work: Promise<unknown>): void
  respondWith(answer: Promise<Response>): void
}

interface Worker {
  addEventListener(name: 'install' | 'activate' | 'fetch', hear: (event: WorkerEvent) => void): void
  skipWaiting(): Promise<void>
  readonly clients: { claim(): Promise<void> }
  readonly registration: { unregister(): Promise<boolean> }
}

/** Begin of the names of all caches of the Desk; the page, whose name says what is in it, tells the builds apart. */
const CACHES = 'desk-'
const CACHE = `${CACHES}${DESK_PAGE}`

/** Addresses that can be opened without the network; of all others the browser says that there is none. */
const OFFLINE = new Set(['/', '/pos'])

const worker = globalThis as unknown as Worker

// Only files of the Desk itself are kept: no answer of the API ever is, nor anything that tells of a person.
worker.addEventListener('install', (event) => {
  event.waitUntil(
    caches
      .open(CACHE)
      .then((cache) => cache.addAll([DESK_PAGE, ...DESK_FILES]))
      .then(() => worker.skipWaiting()),
  )
})

worker.addEventListener('activate', (event) => {
  event.waitUntil(forget((name) => name !== CACHE).then(() => worker.clients.claim()))
})

worker.addEventListener('fetch', (event) => {
  const { request } = event
  const { pathname, origin } = new URL(request.url)
  if (origin !== location.origin) return
  if (request.mode === 'navigate' && pathname === '/logout') {
    event.respondWith(fetch(request))
    event.waitUntil(forget(() => true).then(() => worker.registration.unregister()))
  } else if (request.mode === 'navigate' && request.method === 'GET' && OFFLINE.has(pathname))
    event.respondWith(fetch(request).catch(() => kept(DESK_PAGE)))
  else if (request.method === 'GET' && pathname.startsWith('/desk-assets/'))
    event.respondWith(kept(pathname))
})

/** A file as it is kept; one that is not yet is kept from now on. */
async function kept(path: string): Promise<Response> {
  const known = await caches.match(path)
  if (known) return known
  const answer = await fetch(path)
  if (answer.ok) await (await caches.open(CACHE)).put(path, answer.clone())
  return answer
}

async function forget(isOld: (name: string) => boolean): Promise<void> {
  for (const name of await caches.keys())
    if (name.startsWith(CACHES) && isOld(name)) await caches.delete(name)
}

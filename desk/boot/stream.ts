/** A change of a record, by whomever (contract §7.4). */
export interface ToldChange {
  readonly event: string
  readonly resource: string
  readonly id: string
  readonly modified: string
  readonly actor: string
}

/** What comes by the stream. */
export type Told =
  | { readonly kind: 'change'; readonly change: ToldChange }
  | { readonly kind: 'notification' }
  /** Everything has to be read anew: something may have been missed. */
  | { readonly kind: 'reset' }
  | { readonly kind: 'state'; readonly isLive: boolean }

/** What the page that listens tells the others, with the place in the log of events that it has heard up to. */
interface Heard {
  readonly told: Told
  readonly at: number | undefined
}

/** Milliseconds until a stream that was refused is asked for again; each time twice as long. */
const FIRST_WAIT_MS = 2_000
const LONGEST_WAIT_MS = 60_000

/** What all pages of a browser have in common: one of them listens and tells the others. */
const NAME = 'desk.stream'

/** What a page asks that comes later: whether somebody listens. */
const HELLO = 'hello'

/**
 * Listens to what happens in the workspace from the place `readAt` on, before which what is shown was read. The pages of a browser
 * share one stream: who has the lock listens, and when that page goes the next one goes on where it was. Answers what ends it.
 */
export function listenToStream(readAt: number | undefined, tell: (told: Told) => void): () => void {
  const channel = new BroadcastChannel(NAME)
  const over = new AbortController()
  const place = { at: readAt }
  let state: Told | undefined
  const tellAll = (told: Told): void => {
    if (told.kind === 'state') state = told
    tell(told)
    channel.postMessage({ told, at: place.at } satisfies Heard)
  }
  channel.onmessage = ({ data }: MessageEvent<Heard | typeof HELLO>) => {
    if (data === HELLO) {
      if (state) channel.postMessage({ told: state, at: place.at } satisfies Heard)
      return
    }
    const { told, at } = data
    // Who listens is further than this page has read, and what it heard meanwhile was told to nobody here.
    if (told.kind === 'state' && isBehind(place.at, at)) tell({ kind: 'reset' })
    if (isBehind(place.at, at)) place.at = at
    tell(told)
  }
  channel.postMessage(HELLO)
  navigator.locks
    .request(NAME, { signal: over.signal }, () => listening(place, tellAll, over.signal))
    // Nobody waits for the lock any more.
    .catch(() => {})
  return () => {
    over.abort()
    channel.close()
  }
}

function isBehind(at: number | undefined, other: number | undefined): boolean {
  return other !== undefined && (at === undefined || at < other)
}

/** Listens until it is ended; `place` goes along with what is heard. */
function listening(
  place: { at: number | undefined },
  tell: (told: Told) => void,
  signal: AbortSignal,
): Promise<void> {
  let source: EventSource | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  let wait = FIRST_WAIT_MS
  const heard = (event: MessageEvent): void => {
    if (event.lastEventId !== '') place.at = Number(event.lastEventId)
  }
  function open(): void {
    const from = place.at === undefined ? '' : `?_last_event_id=${place.at}`
    source = new EventSource(`/v1/stream${from}`)
    source.onopen = () => {
      wait = FIRST_WAIT_MS
      tell({ kind: 'state', isLive: true })
    }
    source.onerror = () => {
      tell({ kind: 'state', isLive: false })
      // A browser comes again by itself, but not after a refusal.
      if (source?.readyState !== EventSource.CLOSED) return
      timer = setTimeout(open, wait)
      wait = Math.min(wait * 2, LONGEST_WAIT_MS)
    }
    source.addEventListener('change', (event) => {
      heard(event)
      tell({ kind: 'change', change: JSON.parse(event.data) as ToldChange })
    })
    source.addEventListener('notification', (event) => {
      heard(event)
      tell({ kind: 'notification' })
    })
    source.addEventListener('reset', (event) => {
      heard(event)
      tell({ kind: 'reset' })
    })
  }
  // The network is back: nobody waits for the next try.
  addEventListener('online', () => source?.readyState === EventSource.CLOSED && again(), { signal })
  function again(): void {
    clearTimeout(timer)
    open()
  }
  open()
  return new Promise((resolve) => {
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      source?.close()
      resolve()
    })
  })
}

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

/** Milliseconds until a stream that was refused is asked for again; each time twice as long. */
const FIRST_WAIT_MS = 2_000
const LONGEST_WAIT_MS = 60_000

/** What all pages of a browser have in common: one of them listens and tells the others. */
const NAME = 'desk.stream'

/** What a page asks that comes later: whether somebody listens. */
const HELLO = 'hello'

/**
 * Listens to what happens in the workspace. The pages of a browser share one stream: who has the lock listens, and when that
 * page goes the next one does. Answers what ends it.
 */
export function listenToStream(tell: (told: Told) => void): () => void {
  const channel = new BroadcastChannel(NAME)
  const over = new AbortController()
  let state: Told | undefined
  const tellAll = (told: Told): void => {
    if (told.kind === 'state') state = told
    tell(told)
    channel.postMessage(told)
  }
  channel.onmessage = ({ data }: MessageEvent<Told | typeof HELLO>) => {
    if (data !== HELLO) tell(data)
    else if (state) channel.postMessage(state)
  }
  channel.postMessage(HELLO)
  navigator.locks
    .request(NAME, { signal: over.signal }, () => listening(tellAll, over.signal))
    // Nobody waits for the lock any more.
    .catch(() => {})
  return () => {
    over.abort()
    channel.close()
  }
}

/** Listens until it is ended. */
function listening(tell: (told: Told) => void, signal: AbortSignal): Promise<void> {
  let source: EventSource | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  let wait = FIRST_WAIT_MS
  let isFirst = true
  function open(): void {
    source = new EventSource('/v1/stream')
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
    source.addEventListener('change', ({ data }) =>
      tell({ kind: 'change', change: JSON.parse(data) as ToldChange }),
    )
    source.addEventListener('notification', () => tell({ kind: 'notification' }))
    source.addEventListener('reset', () => {
      // The first stream of a page begins with one: what is shown was read just now, but for what the boot has counted.
      tell({ kind: isFirst ? 'notification' : 'reset' })
      isFirst = false
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

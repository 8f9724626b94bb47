import type { Engine } from '../../engine/index.ts'
import type { ClaimedAddress } from '../../server/http/claim-address.ts'
import type { NotYet } from '../../server/http/not-yet.ts'
import type { RunningServer } from '../../server/start.ts'

/** An open workspace and the server that serves it. */
export interface Served {
  readonly engine: Engine
  readonly server: RunningServer
}

/** What serves a workspace at one address, which can be stopped and started again while the process lives. */
export interface Standing {
  /** Opens the workspace and serves it. Throws what keeps it from that; nothing is open then. */
  start(): Promise<void>
  /** The engine that serves now; undefined while nothing is open. */
  engine(): Engine | undefined
  /** Answers what is in flight and closes the workspace; from now on everybody is told why to wait. */
  pause(why: NotYet): Promise<void>
  /** Serves again, what is there now. Where the process is to end it stays closed. */
  resume(): Promise<void>
  /** Ends it for good; what has paused it goes on to its end first. */
  close(): Promise<void>
}

/** Makes what serves at an address; `open` opens the workspace as it is and serves it. */
export function createStanding(address: ClaimedAddress, open: () => Promise<Served>): Standing {
  let served: Served | undefined
  let isEnding = false
  let resumed = Promise.withResolvers<void>()

  async function start(): Promise<void> {
    served = await open()
  }

  return {
    start,
    engine: () => served?.engine,
    async pause(why) {
      const pausing = served
      served = undefined
      resumed = Promise.withResolvers()
      await pausing?.server.pause(why)
    },
    async resume() {
      if (!isEnding) await start()
      resumed.resolve()
    },
    async close() {
      isEnding = true
      if (!served) await resumed.promise
      // It was opened a moment before: then it is closed as always.
      if (served) await served.server.close()
      else address.release()
    },
  }
}

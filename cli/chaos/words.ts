/** First argument of a process that serves a copy under a clock that can leap: only `svc chaos` starts one. */
export const CHAOS_SERVER_WORD = 'svc-chaos-server'

/** Message to such a process: how far its clock is off from that of the machine, in ms. */
export interface Leap {
  readonly leapMs: number
}

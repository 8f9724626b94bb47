import { PerformanceObserver } from 'node:perf_hooks'
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8'

/** Most bytes of the space for new objects, of which half is empty at any time. V8 would go to 64 MB, and keeps them. */
const MOST_NEW = 16 * 1024 * 1024

/** By how much what lives on may grow before V8 looks for what does not, in percent; V8 would take up to 300. */
const GROWTH = 50

/**
 * Bounds what V8 takes beyond what is in use, for the life of the process; it can only be told so while it runs, where a command
 * is started without options. A hundred bodies of 1 MB, of which 30 MB are in use at a time, took 540 MB without it and 340 with
 * it. Less room for new objects would let more of them be taken for old ones: with 2 MB a create takes a fifth longer.
 */
export function boundHeap(): void {
  setFlagsFromString(`--heap-growing-percent=${GROWTH}`)
  let factor: number | undefined
  const keepBounded = (): void => {
    const wanted = newSpaceBytes() * 2 > MOST_NEW ? 1 : 2
    if (wanted === factor) return
    factor = wanted
    setFlagsFromString(`--semi-space-growth-factor=${factor}`)
  }
  keepBounded()
  new PerformanceObserver(keepBounded).observe({ entryTypes: ['gc'] })
}

function newSpaceBytes(): number {
  const space = getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space')
  return space?.space_size ?? 0
}

import { setFlagsFromString } from 'node:v8'

/** Calls of a function until V8 optimises it again: its own number, and one that a load hardly reaches. */
const OFTEN = 'invocation-count-for-turbofan=3000'
const HARDLY = 'invocation-count-for-turbofan=20000'

/**
 * Runs what calls much code a few thousand times and then never again, as reading all definitions does, without the
 * costliest of V8's compilers: it would use a fifth of the CPU of such work for functions that are hardly called
 * afterwards. What came before and comes after is optimised as always.
 */
export function runOnce<T>(work: () => T): T {
  setFlagsFromString(`--${HARDLY}`)
  try {
    return work()
  } finally {
    setFlagsFromString(`--${OFTEN}`)
  }
}

import { setFlagsFromString } from 'node:v8'

/** Calls of a function until a compiler of V8 takes it: V8's own number, and one that a load hardly reaches. */
const COMPILERS = [
  { flag: 'invocation-count-for-maglev', own: 400, hardly: 20_000 },
  { flag: 'invocation-count-for-turbofan', own: 3000, hardly: 200_000 },
] as const

/**
 * Runs what calls much code some hundred times and then never again, as reading all definitions does, without V8's
 * costly compilers: they would use a quarter of the CPU of such work for functions that are hardly called afterwards.
 * What came before and comes after is optimised as always.
 */
export function runOnce<T>(work: () => T): T {
  for (const { flag, hardly } of COMPILERS) setFlagsFromString(`--${flag}=${hardly}`)
  try {
    return work()
  } finally {
    for (const { flag, own } of COMPILERS) setFlagsFromString(`--${flag}=${own}`)
  }
}

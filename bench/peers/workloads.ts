import { GROUPS } from '../sample-items.ts'
import type { Operation, Requests } from '../scenarios.ts'
import { changesOf, newItem, readsOf, SEARCHED, walked, writesOf } from '../workloads.ts'
import type { Dialect } from './dialect.ts'

/** The same operation in the words of each server. */
export interface PeerWorkload extends Operation {
  readonly isWrite: boolean
  requests(dialect: Dialect, host: string, key: string): Requests
}

export const PEER_WORKLOADS: readonly PeerWorkload[] = [
  read('get-one', ({ pathOf }, n) => pathOf(walked(n))),
  read('list', ({ listPath }, n) => listPath(GROUPS[n % GROUPS.length]!)),
  read('search', ({ searchPath }, n) => searchPath(SEARCHED[n % SEARCHED.length]!)),
  {
    name: 'patch',
    isWrite: true,
    requests: ({ pathOf }, host, key) => ({
      next: writesOf(host, key, 'PATCH', changesOf, (n) => pathOf(walked(n))),
      expectedStatus: 200,
    }),
  },
  {
    name: 'create',
    isWrite: true,
    requests: ({ path, createdStatus }, host, key) => ({
      next: writesOf(host, key, 'POST', newItem, () => path),
      expectedStatus: createdStatus,
    }),
  },
]

function read(name: string, path: (dialect: Dialect, n: number) => string): PeerWorkload {
  return {
    name,
    isWrite: false,
    requests: (dialect, host, key) => ({
      next: readsOf(host, key, (n) => path(dialect, n)),
      expectedStatus: 200,
    }),
  }
}

import { CLIENT_READS } from './client-reads.ts'
import { CLIENT_WRITES } from './client-writes.ts'
import { DOCUMENT_METHODS } from './document-methods.ts'
import type { Method, Methods } from './method.ts'
import { SEARCH_METHODS } from './search-methods.ts'
import { WORKFLOW_METHODS } from './workflow-methods.ts'

const PING: Methods = {
  ping: { verbs: ['GET', 'POST'], access: 'guest', run: async () => 'pong' },
}

/**
 * Every method of surface A by its dotted name: those over records, and the given ones. A map, since names
 * come from requests.
 */
export function allMethods(others: readonly Methods[]): ReadonlyMap<string, Method> {
  const tables = [
    PING,
    CLIENT_READS,
    CLIENT_WRITES,
    SEARCH_METHODS,
    DOCUMENT_METHODS,
    WORKFLOW_METHODS,
    ...others,
  ]
  return new Map(tables.flatMap((methods) => Object.entries(methods)))
}

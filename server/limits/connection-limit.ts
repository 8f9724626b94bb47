import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { addressNetwork } from '../auth/address-network.ts'
import { allowList } from '../auth/allow-list.ts'

/** Connections of all, and of one address: a browser opens six. */
const MOST = 4_000
const MOST_OF_ADDRESS = 256

export interface ConnectionLimits {
  readonly most?: number
  readonly mostOfAddress?: number
  /** Proxies: all who come through one have its address. */
  readonly trustProxy?: readonly string[]
}

/**
 * Bounds the connections of a server: what a connection sends is kept until it is whole, so each costs memory before
 * anybody is known. One too many of an address is closed at once. An IPv6 network of 64 bits counts as one address.
 * Returns what ends the limit.
 */
export function limitConnections(
  server: Server,
  { most = MOST, mostOfAddress = MOST_OF_ADDRESS, trustProxy = [] }: ConnectionLimits = {},
): () => void {
  const proxies = allowList(trustProxy)
  const open = new Map<string, number>()
  server.maxConnections = most
  function bound(socket: Socket): void {
    const address = socket.remoteAddress ?? ''
    if (address === '' || proxies.includes(address)) return
    const network = addressNetwork(address)
    const count = (open.get(network) ?? 0) + 1
    if (count > mostOfAddress) {
      socket.destroy()
      return
    }
    open.set(network, count)
    socket.once('close', () => {
      const left = (open.get(network) ?? 1) - 1
      if (left > 0) open.set(network, left)
      else open.delete(network)
    })
  }
  server.on('connection', bound)
  return () => void server.off('connection', bound)
}

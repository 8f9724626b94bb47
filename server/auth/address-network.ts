import { isIPv4, isIPv6 } from 'node:net'
import { unmapped } from './allow-list.ts'

/** Network that counts as one address: an IPv4 address, or 64 bits of IPv6, which one machine can use whole. */
export function addressNetwork(address: string): string {
  const plain = unmapped(address)
  return isIPv6(plain) ? firstGroups(plain) : plain
}

/**
 * Network whose machines are taken for neighbours where passwords are guessed: 24 bits of IPv4, 64 of IPv6. Who has one
 * address of such a network can often have the others.
 */
export function neighbourhood(address: string): string {
  const network = addressNetwork(address)
  return isIPv4(network) ? `${network.slice(0, network.lastIndexOf('.'))}.0/24` : network
}

/** The first four of the eight groups, with `::` written out. */
function firstGroups(address: string): string {
  const [head = '', tail] = address.split('::')
  const groups = head === '' ? [] : head.split(':')
  if (tail !== undefined) {
    const last = tail === '' ? [] : tail.split(':')
    while (groups.length + last.length < 8) groups.push('0')
    groups.push(...last)
  }
  return groups.slice(0, 4).join(':')
}

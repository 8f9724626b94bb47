import { isIPv4 } from 'node:net'
import type { Settings } from '../settings/settings.ts'

/** Settings that name the workspace to others. */
export type HostSettings = Partial<
  Pick<Settings, 'baseUrl' | 'integrateUrl' | 'apiUrl' | 'publicHosts'>
>

/** Whether a `Host` header names the workspace; undefined where nobody has said what it is called. */
export type IsKnownHost = (header: string) => boolean

/**
 * Names the workspace is reached by, once one was set: those of its public addresses, `SVC_PUBLIC_HOSTS`, and loopback
 * ones, on any port. A page whose own name was made to lead here (DNS rebinding) bears another (safety D20).
 */
export function knownHosts({
  baseUrl,
  integrateUrl,
  apiUrl,
  publicHosts = [],
}: HostSettings): IsKnownHost | undefined {
  const urls = [baseUrl, integrateUrl, apiUrl].filter((url) => url !== undefined)
  const names = new Set([...urls.map((url) => new URL(url).hostname), ...publicHosts])
  if (names.size === 0) return undefined
  return (header) => {
    const name = nameIn(header)
    return name !== undefined && (names.has(name) || isLoopbackName(name))
  }
}

/** The host without its port, as URLs write it; undefined for what is no host. */
function nameIn(header: string): string | undefined {
  if (/[/?#@\\\s]/.test(header)) return undefined
  const name = URL.parse(`http://${header}`)?.hostname
  return name?.endsWith('.') ? name.slice(0, -1) : name
}

function isLoopbackName(name: string): boolean {
  if (name === 'localhost' || name.endsWith('.localhost') || name === '[::1]') return true
  return isIPv4(name) && name.startsWith('127.')
}

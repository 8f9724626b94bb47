import { isEmail } from '../../engine/fields/text-format.ts'
import { allowEntryProblem } from '../auth/allow-list.ts'

/** Length of the workspace's secret key. */
export const SECRET_KEY_BYTES = 32

/** Reads one of a few words. */
export function oneOf<const T extends string>(values: readonly T[]): (text: string) => T {
  return (text) => {
    const found = values.find((value) => value === text)
    if (found === undefined)
      throw new Error(`expected ${values.join(', ')}, got ${JSON.stringify(text)}`)
    return found
  }
}

function list(text: string): string[] {
  return text
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean)
}

/** Reads a whole number of a range. */
export function readCount(least: number, most: number): (text: string) => number {
  return (text) => {
    const count = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN
    if (count >= least && count <= most) return count
    throw new Error(`expected a whole number from ${least} to ${most}, got ${JSON.stringify(text)}`)
  }
}

/** Reads a TCP port; 0 lets the system choose. */
export function readPort(text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN
  if (!(port <= 65_535))
    throw new Error(`expected a port from 0 to 65535, got ${JSON.stringify(text)}`)
  return port
}

/** The URL holds a password, so a message never repeats it. */
export function readDatabaseUrl(text: string): string {
  if (!/^postgres(ql)?:\/\//.test(text) || !URL.canParse(text)) {
    throw new Error('expected postgres://user:password@host:port/database')
  }
  return text
}

/** Reads an address on the web, without its last slash. */
export function readUrl(text: string): string {
  const isWeb = URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)
  if (!isWeb) throw new Error(`expected an http:// or https:// URL, got ${JSON.stringify(text)}`)
  return text.replace(/\/+$/, '')
}

/**
 * Reads an address to which paths are added: credentials, query and fragment have no place in one. As it may
 * hold a password all the same, no message repeats it.
 */
export function readPlainUrl(text: string): string {
  const url = URL.parse(text)
  if (!url || !/^https?:$/.test(url.protocol))
    throw new Error('expected an http:// or https:// URL')
  const { username, password, search, hash } = url
  if (username || password || search || hash)
    throw new Error('expected a URL without user, password, query and fragment')
  return readUrl(text)
}

/** Reads `s3://bucket/prefix`: the bucket by its name, the prefix without slashes at its ends. */
export function readBucket(text: string): { readonly bucket: string; readonly prefix: string } {
  const [, bucket = '', path = ''] =
    /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(\/[\w./-]*)?$/.exec(text) ?? []
  if (bucket === '' || path.split('/').includes('..'))
    throw new Error(`expected s3://bucket/prefix, got ${JSON.stringify(text)}`)
  return { bucket, prefix: path.replace(/^\/+|\/+$/g, '') }
}

/** Reads an API key as a header can hold it; the message does not repeat it. */
export function readKey(text: string): string {
  const key = text.trim()
  if (!/^[\x21-\x7e]{1,500}$/.test(key))
    throw new Error('expected an API key: one word of letters, digits and signs')
  return key
}

/** Reads origins as browsers write them, or `*`, separated by commas. */
export function readOrigins(text: string): string[] {
  return list(text).map(readOrigin)
}

function readOrigin(text: string): string {
  if (text === '*') return text
  const isOrigin = URL.canParse(text) && new URL(text).origin === text
  if (!isOrigin)
    throw new Error(
      `expected an origin such as https://app.example.com, got ${JSON.stringify(text)}`,
    )
  return text
}

/** Reads host names or addresses without ports, separated by commas, as URLs write them. */
export function readHostNames(text: string): string[] {
  return list(text).map((entry) => {
    const url = /[/?#@\\\s]/.test(entry) ? null : URL.parse(`http://${entry}`)
    if (url && url.port === '' && !/:\d*$/.test(entry.replace(/^\[.*\]/, ''))) return url.hostname
    throw new Error(
      `expected host names without ports such as erp.example.com, got ${JSON.stringify(entry)}`,
    )
  })
}

/** Reads addresses and CIDR ranges, separated by commas. */
export function readProxies(text: string): string[] {
  return list(text).map((entry) => {
    const problem = allowEntryProblem(entry)
    if (problem !== undefined) throw new Error(problem)
    return entry
  })
}

/** Reads a key of 32 bytes in base64; a message never repeats it. */
export function readSecretKey(text: string): Buffer {
  const key = Buffer.from(text, 'base64')
  if (key.length !== SECRET_KEY_BYTES) {
    throw new Error(
      `expected ${SECRET_KEY_BYTES} bytes in base64 (openssl rand -base64 ${SECRET_KEY_BYTES}), got ${key.length} bytes`,
    )
  }
  return key
}

/** Reads the address of a mail server; it may hold a password, so a message never repeats it. */
export function readSmtpUrl(text: string): string {
  if (!/^smtps?:\/\/[^/]/.test(text) || !URL.canParse(text))
    throw new Error('expected smtp://user:password@host:port, or smtps:// for TLS from the start')
  return text
}

/** Reads one e-mail address. */
export function readAddress(text: string): string {
  if (!isEmail(text))
    throw new Error(
      `expected an e-mail address such as svc@example.com, got ${JSON.stringify(text)}`,
    )
  return text
}

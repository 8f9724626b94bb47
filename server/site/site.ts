import type { Request } from 'express'
import type { Engine } from '../../engine/index.ts'
import { addressNetwork } from '../auth/address-network.ts'
import type { Background } from './background.ts'

/** What anybody may ask of a workspace without being signed in, as pages and as methods of surface A. */
export interface Site {
  readonly engine: Engine
  /**
   * Where links in mail lead: the address that was set, or the one listened on, never one a request names
   * (reliability.md S9). Without a slash at the end.
   */
  readonly baseUrl: () => string
  /** Whether anybody may make an account. */
  readonly signup: boolean
  /** Whether mail goes out; without a server for it only mail somebody waits for is put by. */
  readonly sendsMail: boolean
  readonly background: Background
}

/** Whom an hourly limit of a request counts for. */
export function networkOf({ ip = '' }: Pick<Request, 'ip'>): string {
  return addressNetwork(ip)
}

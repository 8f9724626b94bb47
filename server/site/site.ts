import type { Request } from 'express'
import { type Actor, GUEST_ACTOR, SYSTEM_ACTOR } from '../../engine/access/actor.ts'
import type { Engine } from '../../engine/index.ts'
import { addressNetwork } from '../auth/address-network.ts'
import type { KeyEnvironment } from '../auth/key-text.ts'
import type { Settings } from '../settings/settings.ts'
import type { Background } from './background.ts'

/**
 * Actor that makes the records forms of the site leave behind: nobody who is known, but allowed to.
 */
export const FORM_ACTOR: Actor = { ...SYSTEM_ACTOR, id: GUEST_ACTOR.id, name: GUEST_ACTOR.name }

/** Services for those who are not signed in, as pages and as methods of surface A. */
export interface Site {
  readonly engine: Engine
  /** Environment that pairs of key and secret are made for. */
  readonly env: KeyEnvironment
  /**
   * Address that links in mail lead to: the one that was set, or the one listened on, never one a request names
   * (reliability.md S9). Without a slash at the end.
   */
  readonly baseUrl: () => string
  /** Whether anybody may make an account. */
  readonly signup: boolean
  /** Whether mail goes out; without a server for it only mail somebody waits for is put by. */
  readonly sendsMail: boolean
  readonly background: Background
}

export interface SiteOptions {
  readonly engine: Engine
  readonly settings: Partial<Pick<Settings, 'env' | 'baseUrl' | 'signup' | 'smtpUrl'>>
  readonly background: Background
  /** The address that is listened on, where none was set that people know. */
  readonly listeningAt: () => string
}

/** Site as the settings have it; sign-up is open unless they say otherwise. */
export function createSite({ engine, settings, background, listeningAt }: SiteOptions): Site {
  const { env = 'live', baseUrl, signup = true, smtpUrl } = settings
  return {
    engine,
    env,
    baseUrl: () => baseUrl ?? listeningAt(),
    signup,
    sendsMail: smtpUrl !== undefined,
    background,
  }
}

/** Network that an hourly limit counts a request for. */
export function networkOf({ ip = '' }: Pick<Request, 'ip'>): string {
  return addressNetwork(ip)
}

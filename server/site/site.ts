import type { Request } from 'express'
import { type Actor, GUEST_ACTOR, SYSTEM_ACTOR } from '../../engine/access/actor.ts'
import type { Engine } from '../../engine/index.ts'
import { addressNetwork } from '../auth/address-network.ts'
import type { Settings } from '../settings/settings.ts'
import type { Background } from './background.ts'

/**
 * Who makes the records that forms of the site leave behind: nobody who is known, but allowed to. It takes
 * seats of the plan like anybody else.
 */
export const FORM_ACTOR: Actor = { ...SYSTEM_ACTOR, id: GUEST_ACTOR.id, name: GUEST_ACTOR.name }

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

export interface SiteOptions {
  readonly engine: Engine
  readonly settings: Partial<Pick<Settings, 'baseUrl' | 'signup' | 'smtpUrl'>>
  readonly background: Background
  /** The address that is listened on, where none was set that people know. */
  readonly listeningAt: () => string
}

/** What the settings say about it; sign-up is open unless they do. */
export function createSite({ engine, settings, background, listeningAt }: SiteOptions): Site {
  const { baseUrl, signup = true, smtpUrl } = settings
  return {
    engine,
    baseUrl: () => baseUrl ?? listeningAt(),
    signup,
    sendsMail: smtpUrl !== undefined,
    background,
  }
}

/** Whom an hourly limit of a request counts for. */
export function networkOf({ ip = '' }: Pick<Request, 'ip'>): string {
  return addressNetwork(ip)
}

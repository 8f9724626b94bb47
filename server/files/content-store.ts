import type { Readable } from 'node:stream'

/** Part of a content, its end included. */
export interface ByteRange {
  readonly start: number
  readonly end: number
}

/** A file on this machine that is to be kept under its hash. */
export interface Incoming {
  readonly path: string
  /** SHA-256 of the content, hex. */
  readonly hash: string
  readonly size: number
}

/**
 * Place where contents of files are, each under its SHA-256: a folder, or a store that speaks as S3 does. What stands
 * there never changes; putting it twice is putting it once.
 */
export interface ContentStore {
  /** In words, for people who look after it: `the folder /srv/data/files`. */
  readonly place: string
  /** Takes a file; its path is empty afterwards or may be removed. */
  put(file: Incoming): Promise<void>
  /** Keeps some bytes that were made of a content, under its hash and a word: `thumb`. */
  putMade(hash: string, word: string, bytes: Buffer): Promise<void>
  /** Content, or what was made of it; undefined where it is not there. */
  open(hash: string, options?: OpenOptions): Promise<Readable | undefined>
  /** Removes a content, and what was made of it; nothing where it is not there. */
  remove(hash: string): Promise<void>
}

export interface OpenOptions {
  readonly range?: ByteRange | undefined
  /** What was made of it. */
  readonly made?: string
}

/** Words of what is made of contents. */
export const MADE = ['thumb'] as const

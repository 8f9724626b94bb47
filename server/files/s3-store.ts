import { createReadStream } from 'node:fs'
import type { Readable } from 'node:stream'
import { AppError } from '../../engine/base/errors.ts'
import { type ByteRange, type ContentStore, MADE } from './content-store.ts'

/** Where an S3-compatible store is, and who is known there. */
export interface S3Options {
  readonly bucket: string
  /** Path in the bucket, without slashes at its ends; empty for none. */
  readonly prefix: string
  /** Address of the store: `https://s3.eu-central-1.amazonaws.com`. */
  readonly endpoint: string
  readonly region: string
  readonly accessKey: string
  readonly secretKey: string
}

interface Sent {
  readonly method: 'GET' | 'HEAD' | 'PUT' | 'DELETE'
  readonly key: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: Readable | Buffer
}

/** Time without a byte after which the store is given up, in ms. */
const SILENCE = 60_000

/** What a store says (404) where something else is missing than a content. */
const OTHERS_MISSING = /<Code>(?!NoSuchKey|NotFound)/

/** SHA-256 of nothing. */
const NOTHING = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'

/**
 * Contents in a store that speaks as S3 does, under `prefix/ab/abcd…`. Files go from the disk on which they arrived, so
 * that memory stays flat; their hash is part of what is signed, and the store refuses other bytes.
 */
export function s3Store(options: S3Options): ContentStore {
  const { bucket, prefix, endpoint, region, accessKey, secretKey } = options
  const keyOf = (hash: string, made?: string): string =>
    [prefix, hash.slice(0, 2), made === undefined ? hash : `${hash}.${made}`]
      .filter((part) => part !== '')
      .join('/')

  async function send({ method, key, headers = {}, body }: Sent) {
    const [{ AwsV4Signer }, { request }] = await Promise.all([
      import('aws4fetch'),
      import('undici'),
    ])
    const signer = new AwsV4Signer({
      method,
      url: `${endpoint}/${bucket}/${key}`,
      headers: { 'x-amz-content-sha256': NOTHING, ...headers },
      accessKeyId: accessKey,
      secretAccessKey: secretKey,
      service: 's3',
      region,
    })
    const signed = await signer.sign()
    try {
      return await request(signed.url, {
        method,
        headers: Object.fromEntries(signed.headers),
        body: body ?? null,
        headersTimeout: SILENCE,
        bodyTimeout: SILENCE,
      })
    } catch (error) {
      throw unreachable(error)
    }
  }

  /** The answer to one of these statuses; undefined where 404 is one of them and the content is not there. */
  async function expect(sent: Sent, statuses: readonly number[]) {
    const answer = await send(sent)
    const isMissing = answer.statusCode === 404
    if (statuses.includes(answer.statusCode) && !isMissing) return answer
    const text = await answer.body.text().catch(() => '')
    // A bucket or an account that is not there is no content that is not there.
    if (statuses.includes(404) && isMissing && !OTHERS_MISSING.test(text)) return undefined
    throw unreachable(new Error(`${sent.method}: ${answer.statusCode} ${text.slice(0, 500)}`))
  }

  async function put(key: string, hash: string, size: number, body: Readable | Buffer) {
    const headers = { 'x-amz-content-sha256': hash, 'content-length': String(size) }
    const answer = await expect({ method: 'PUT', key, headers, body }, [200, 201])
    await answer?.body.dump()
  }

  return {
    place: `the bucket ${bucket} at ${endpoint}`,
    async put({ path, hash, size }) {
      const there = await expect({ method: 'HEAD', key: keyOf(hash) }, [200, 404])
      await there?.body.dump()
      if (there) return
      // An empty file has no stream that would end by itself before its length is known.
      await put(keyOf(hash), hash, size, size === 0 ? Buffer.alloc(0) : createReadStream(path))
    },
    async putMade(hash, word, bytes) {
      const { createHash } = await import('node:crypto')
      const own = createHash('sha256').update(bytes).digest('hex')
      await put(keyOf(hash, word), own, bytes.length, bytes)
    },
    async open(hash, { range, made } = {}) {
      const key = keyOf(hash, made)
      const headers = rangeHeader(range)
      return (await expect({ method: 'GET', key, headers }, [200, 206, 404]))?.body
    },
    async remove(hash) {
      for (const made of [undefined, ...MADE]) {
        const key = keyOf(hash, made)
        const answer = await expect({ method: 'DELETE', key }, [200, 204, 404])
        await answer?.body.dump()
      }
    },
  }
}

function rangeHeader(range: ByteRange | undefined): Readonly<Record<string, string>> {
  return range ? { range: `bytes=${range.start}-${range.end}` } : {}
}

/** 503: what the store said is for the log, and not for who asks. */
function unreachable(cause: unknown): AppError {
  return new AppError('UNAVAILABLE', 'the store of files cannot be reached; try again later', {
    cause,
    headers: { 'Retry-After': '30' },
  })
}

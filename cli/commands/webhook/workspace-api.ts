import { existsSync, readFileSync } from 'node:fs'
import { fileProblem } from '../../../engine/base/file-error.ts'
import { isObject } from '../../../engine/base/json-text.ts'
import { readKey, readPlainUrl } from '../../../server/settings/setting-values.ts'
import { firstRunFile } from '../../data-folder.ts'
import { Failure, UsageError } from '../../failure.ts'
import { settingsOf } from '../../settings.ts'
import { printable } from '../../terminal/printable.ts'

/** Flags that say which workspace is asked, and as whom. */
export interface ApiFlags {
  readonly data?: string
  readonly key?: string
}

/** The workspace that is being served. Each call throws Failure with what it answers when it refuses. */
export interface WorkspaceApi {
  readonly url: string
  get(path: string): Promise<Readonly<Record<string, unknown>>>
  post(path: string, body: object): Promise<Readonly<Record<string, unknown>>>
  remove(path: string): Promise<void>
}

/** Longest wait for an answer, in ms. */
const TIMEOUT = 15_000

/**
 * Address at which the workspace of this environment answers; it is not asked. What the environment says goes
 * before what the first start has left.
 */
export function workspaceUrl(flags: ApiFlags): string {
  const { env } = process
  const { apiUrl, baseUrl, port } = settingsOf(dataOf(flags), env).settings
  if (env.SVC_API_BASE) return withoutVersion(read('SVC_API_BASE', env.SVC_API_BASE, readPlainUrl))
  const found = env.SVC_PORT ? undefined : firstRun(flags).url
  return withoutVersion(apiUrl ?? baseUrl ?? found ?? `http://127.0.0.1:${port}`)
}

/** The API of that workspace with the key of `--key`, `SVC_API_KEY` or the first start. */
export function openApi(flags: ApiFlags): WorkspaceApi {
  const url = workspaceUrl(flags)
  const key = keyOf(flags)

  async function call(
    method: string,
    path: string,
    body?: object,
  ): Promise<Readonly<Record<string, unknown>>> {
    const response = await answerOf(url, `${url}/v1${path}`, {
      method,
      redirect: 'manual',
      signal: AbortSignal.timeout(TIMEOUT),
      headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const answer = await jsonOf(response)
    if (response.ok) return answer
    throw new Failure(`${url} answers ${response.status}: ${printable(refusalIn(answer))}`)
  }

  return {
    url,
    get: (path) => call('GET', path),
    post: (path, body) => call('POST', path, body),
    async remove(path) {
      await call('DELETE', path)
    },
  }
}

async function answerOf(api: string, url: string, request: RequestInit): Promise<Response> {
  try {
    return await fetch(url, request)
  } catch (error) {
    throw new Failure(
      `no workspace answers at ${api}: \`svc serve\` serves one, SVC_API_BASE names another address`,
      { cause: error },
    )
  }
}

async function jsonOf(response: Response): Promise<Readonly<Record<string, unknown>>> {
  try {
    const value: unknown = await response.json()
    return isObject(value) ? value : {}
  } catch (_noJson) {
    return {}
  }
}

/** Text of a refusal: the error's message, or what it says of single fields. */
function refusalIn({ error }: Readonly<Record<string, unknown>>): string {
  if (!isObject(error)) return 'not as a workspace does'
  const details = Array.isArray(error.details) ? error.details.filter(isObject) : []
  const fields = details.map(({ field, message }) => `${String(field)}: ${String(message)}`)
  return fields.length > 0 ? fields.join('; ') : String(error.message)
}

function keyOf(flags: ApiFlags): string {
  const { env } = process
  if (flags.key !== undefined) return read('--key', flags.key, readKey)
  if (env.SVC_API_KEY) return read('SVC_API_KEY', env.SVC_API_KEY, readKey)
  const { admin_key: key, file } = firstRun(flags)
  if (key !== undefined) return key
  throw new UsageError(
    `expected an API key of scope write in SVC_API_KEY or --key, as there is no ${file}; \`svc key create --scope write\` makes one`,
  )
}

function read<T>(name: string, text: string, reader: (text: string) => T): T {
  try {
    return reader(text)
  } catch (error) {
    throw new UsageError(`${name}: ${(error as Error).message}`, { cause: error })
  }
}

/** Address and key that the first start has left in the data folder, where its file is still there. */
function firstRun(flags: ApiFlags): {
  readonly file: string
  readonly url?: string
  readonly admin_key?: string
} {
  const file = firstRunFile(settingsOf(dataOf(flags), process.env).settings.data)
  if (!existsSync(file)) return { file }
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    throw new Failure(`cannot read ${file}: ${fileProblem(error)}`, { cause: error })
  }
  try {
    const { url, admin_key: key } = JSON.parse(text) as Record<string, unknown>
    return {
      file,
      ...(typeof url === 'string' ? { url } : {}),
      ...(typeof key === 'string' ? { admin_key: key } : {}),
    }
  } catch (_changed) {
    return { file }
  }
}

function dataOf({ data }: ApiFlags): { readonly data?: string } {
  return data === undefined ? {} : { data }
}

function withoutVersion(url: string): string {
  return url.replace(/\/+$/, '').replace(/\/v1$/, '')
}

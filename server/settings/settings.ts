import { delimiter, resolve } from 'node:path'
import { suggest } from '../../engine/base/suggest.ts'
import { KEY_ENVIRONMENTS, type KeyEnvironment } from '../auth/key-text.ts'
import { DATABASE_SETTING_ROWS, type DatabaseSettings } from './database-settings.ts'
import { FILE_SETTING_ROWS, type FileSettings } from './file-settings.ts'
import type { SettingRow } from './setting-row.ts'
import {
  oneOf,
  readAddress,
  readCount,
  readHostNames,
  readOrigins,
  readPort,
  readProxies,
  readSecretKey,
  readSmtpUrl,
  readUrl,
  SECRET_KEY_BYTES,
} from './setting-values.ts'
import { TOOL_SETTING_ROWS } from './tool-settings.ts'

export type LogLevel = (typeof LOG_LEVELS)[number]

/** `auto` is `pretty` on a terminal. */
export type LogFormat = (typeof LOG_FORMATS)[number]

/** Settings of a process; each value comes from one row of the table below. */
export interface Settings extends DatabaseSettings, FileSettings {
  readonly port: number
  readonly host: string
  readonly data: string
  readonly doctypes: readonly string[]
  /** Folder where the single binary tries to put SQLite's library first; undefined = wherever there is room. */
  readonly nativeFolder: string | undefined
  readonly env: KeyEnvironment
  readonly baseUrl: string | undefined
  readonly integrateUrl: string | undefined
  readonly apiUrl: string | undefined
  /** Further host names the workspace is reached by. */
  readonly publicHosts: readonly string[]
  readonly trustProxy: readonly string[]
  readonly corsOrigins: readonly string[]
  readonly logLevel: LogLevel
  readonly logFormat: LogFormat
  readonly rateLimit: boolean
  /** Whether record routes are answered without Express. */
  readonly directRoutes: boolean
  /** Whether webhooks may call private, link-local and metadata addresses. */
  readonly webhookAllowPrivate: boolean
  /** Wait before the second attempt of a delivery, in ms; the rest of the schedule scales with it. */
  readonly webhookRetryBaseMs: number
  /** Days the event log keeps an event; 0 keeps all, undefined: as was chosen at setup. */
  readonly eventRetentionDays: number | undefined
  /** Whether the server proves the books every night. */
  readonly verifyNightly: boolean
  /** Mail server; without one, mail waits. */
  readonly smtpUrl: string | undefined
  /** Sender of mail; undefined = made from the mail server's or the base address. */
  readonly mailFrom: string | undefined
  /** Whether anybody may make an account. */
  readonly signup: boolean
  readonly stripeSecretKey: string | undefined
  readonly stripeWebhookSecret: string | undefined
  /** Address of the payment provider's API, e.g. of a fake of it in tests. */
  readonly stripeApiBase: string | undefined
  /** 32 bytes; undefined where they come from the data folder. */
  readonly secretKey: Buffer | undefined
}

/** A schedule of a month and more is a slip. */
const MAX_RETRY_BASE = 150_000

/** A delivery of the log can be sent again as long as it is there: its event must outlive it. */
const MIN_RETENTION = 31
const MAX_RETENTION = 36_500

/** Reads the days for which events are kept. Throws an Error that says what was expected. */
export function readRetention(text: string): number {
  return text === '0' ? 0 : readCount(MIN_RETENTION, MAX_RETENTION)(text)
}

const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const

const LOG_FORMATS = ['auto', 'pretty', 'json'] as const

/** Every setting, in the order of `docs/configuration.md`, which is rendered from it. */
export const SETTING_ROWS: { readonly [Key in keyof Settings]: SettingRow<Settings[Key]> } = {
  port: {
    variable: 'SVC_PORT',
    flag: '--port',
    type: 'integer 0–65535',
    default: '8000',
    meaning:
      'Port to listen on; 0 picks a free one. Where none is named and 8000 is taken, the next free one.',
    read: readPort,
  },
  host: {
    variable: 'SVC_HOST',
    flag: '--host',
    type: 'address or host name',
    default: '127.0.0.1',
    meaning: 'Address to listen on; `0.0.0.0` or `::` is every address of the machine.',
    read: (text) => text,
  },
  data: {
    variable: 'SVC_DATA',
    flag: '--data',
    type: 'folder',
    default: './data',
    meaning: 'Data folder: SQLite database, secret key, own DocTypes.',
    read: (text) => resolve(text),
  },
  doctypes: {
    variable: 'SVC_DOCTYPES',
    flag: '--doctypes',
    type: 'folders, separated as in PATH',
    default: '',
    meaning: 'Folders of DocTypes over the shipped ones; later ones override earlier ones.',
    read: (text) =>
      text
        .split(delimiter)
        .filter(Boolean)
        .map((folder) => resolve(folder)),
  },
  ...DATABASE_SETTING_ROWS,
  nativeFolder: {
    variable: 'SVC_NATIVE_DIR',
    type: 'folder',
    default: '',
    meaning:
      'Single binary: where SQLite’s library is unpacked first; without it `cache` in the data folder, a folder of this user’s below the temporary one, then `.svc-native` in the current one.',
    read: (text) => resolve(text),
  },
  env: {
    variable: 'SVC_ENV',
    type: KEY_ENVIRONMENTS.join(' or '),
    default: 'live',
    meaning: 'Environment served: API keys of the other one are unknown.',
    read: oneOf(KEY_ENVIRONMENTS),
  },
  baseUrl: {
    variable: 'SVC_BASE_URL',
    type: 'http(s) URL',
    default: '',
    meaning: 'Address under which people reach the workspace; without it, the one it listens on.',
    read: readUrl,
  },
  integrateUrl: {
    variable: 'SVC_INTEGRATE_URL',
    type: 'http(s) URL',
    default: '',
    meaning: 'Address under which integrations reach surface A; `SVC_BASE_URL` without it.',
    read: readUrl,
  },
  apiUrl: {
    variable: 'SVC_API_URL',
    type: 'http(s) URL',
    default: '',
    meaning: 'Address under which clients reach `/v1`; `SVC_BASE_URL` without it.',
    read: readUrl,
  },
  publicHosts: {
    variable: 'SVC_PUBLIC_HOSTS',
    type: 'host names, separated by commas',
    default: '',
    meaning:
      'Further names in `Host` that the workspace answers to. Once it or one of the addresses above is set, names other than these, theirs and loopback ones are refused.',
    read: readHostNames,
  },
  trustProxy: {
    variable: 'SVC_TRUST_PROXY',
    type: 'addresses and CIDR ranges, separated by commas',
    default: '',
    meaning: 'Proxies whose `X-Forwarded-For` is believed; of all others it is ignored.',
    read: readProxies,
  },
  corsOrigins: {
    variable: 'SVC_CORS_ORIGINS',
    type: 'origins, separated by commas, or `*`',
    default: '',
    meaning:
      'Origins whose pages may call the API from a browser; `*` is every page, without cookies.',
    read: readOrigins,
  },
  logLevel: {
    variable: 'SVC_LOG_LEVEL',
    type: LOG_LEVELS.join(', '),
    default: 'info',
    meaning: 'Least level that is logged (on stderr).',
    read: oneOf(LOG_LEVELS),
  },
  logFormat: {
    variable: 'SVC_LOG_FORMAT',
    type: LOG_FORMATS.join(', '),
    default: 'auto',
    meaning:
      '`pretty` lines for people or `json` for programs; `auto` is `pretty` where stderr is a terminal.',
    read: oneOf(LOG_FORMATS),
  },
  rateLimit: {
    variable: 'SVC_RATE_LIMIT',
    type: 'on or off',
    default: 'on',
    meaning: 'Whether requests are limited by plan; off for load tests.',
    read: (text) => oneOf(['on', 'off'])(text) === 'on',
  },
  directRoutes: {
    variable: 'SVC_DIRECT_ROUTES',
    type: 'on or off',
    default: 'on',
    meaning:
      'Whether requests to records (`/v1/items`, `/v1/items/ITEM-1`) take the direct way; off sends them through Express, as all others, with the same answers at half the speed.',
    read: (text) => oneOf(['on', 'off'])(text) === 'on',
  },
  webhookAllowPrivate: {
    variable: 'SVC_WEBHOOK_ALLOW_PRIVATE',
    type: '0 or 1',
    default: '0',
    meaning: 'Whether webhooks may call private, link-local and metadata addresses.',
    read: (text) => oneOf(['0', '1'])(text) === '1',
  },
  webhookRetryBaseMs: {
    variable: 'SVC_WEBHOOK_RETRY_BASE_MS',
    type: 'integer from 1',
    default: '5000',
    meaning:
      'Wait before the second attempt to deliver a webhook, in ms; the whole schedule of 24 hours scales with it.',
    read: readCount(1, MAX_RETRY_BASE),
  },
  eventRetentionDays: {
    variable: 'SVC_EVENT_RETENTION_DAYS',
    type: `0, or ${MIN_RETENTION} to ${MAX_RETENTION}`,
    default: '',
    meaning:
      'Days the event log keeps an event, at least as long as the delivery log keeps its deliveries; 0 keeps all. Without it, what was said at `svc setup` (`--event-retention`), else all.',
    read: readRetention,
  },
  verifyNightly: {
    variable: 'SVC_VERIFY',
    type: 'off or nightly',
    default: 'off',
    meaning:
      'Whether the server proves the books every night, by `svc verify --since last` in a process of its own; `GET /v1/proof` and `svc doctor` tell the result.',
    read: (text) => oneOf(['off', 'nightly'])(text) === 'nightly',
  },
  ...FILE_SETTING_ROWS,
  smtpUrl: {
    variable: 'SVC_SMTP_URL',
    type: 'smtp(s)://user:password@host:port',
    default: '',
    meaning: 'Mail server; without it mail waits in the outbox, which `svc doctor` shows.',
    read: readSmtpUrl,
  },
  mailFrom: {
    variable: 'SVC_MAIL_FROM',
    type: 'e-mail address',
    default: '',
    meaning:
      'Sender of mail; without it the user of `SVC_SMTP_URL`, else `svc@` the host of `SVC_BASE_URL`.',
    read: readAddress,
  },
  signup: {
    variable: 'SVC_SIGNUP',
    type: 'open or off',
    default: 'open',
    meaning: 'Whether anybody may make an account; `off` leaves that to System Managers.',
    read: (text) => oneOf(['open', 'off'])(text) === 'open',
  },
  stripeSecretKey: {
    variable: 'SVC_STRIPE_SECRET_KEY',
    type: 'text',
    default: '',
    meaning: 'Secret key of the payment provider; without it plans change without payment.',
    read: (text) => text,
  },
  stripeWebhookSecret: {
    variable: 'SVC_STRIPE_WEBHOOK_SECRET',
    type: 'text',
    default: '',
    meaning: "Secret that signs the provider's events to `/hooks/stripe`.",
    read: (text) => text,
  },
  stripeApiBase: {
    variable: 'SVC_STRIPE_API_BASE',
    type: 'http(s) URL',
    default: '',
    meaning: "Address of the provider's API, for tests; without it the provider's own.",
    read: readUrl,
  },
  secretKey: {
    variable: 'SVC_SECRET_KEY',
    type: `${SECRET_KEY_BYTES} bytes, base64`,
    default: '',
    meaning:
      'Key that signs cursors and encrypts secrets; without it `DATA/secret.key`. Required with PostgreSQL.',
    read: readSecretKey,
  },
}

const PREFIX = 'SVC_'

/** Variables that mean something to the project, but not to a running server. */
const OTHERS = new Set([
  'SVC_TEST_DATABASE_URL',
  ...Object.values(TOOL_SETTING_ROWS).map(({ variable }) => variable),
])

/** Thrown for settings that cannot be; one line each in `problems`. */
export class SettingsError extends Error {
  readonly problems: readonly string[]

  constructor(problems: readonly string[]) {
    super(problems.join('\n'))
    this.name = 'SettingsError'
    this.problems = problems
  }
}

/**
 * Reads the environment. An empty value counts as not set; an unknown name with our prefix is a warning,
 * because it is mostly a slip. Throws SettingsError with all problems; no message repeats a secret.
 */
export function readSettings(env: Readonly<Record<string, string | undefined>>): {
  readonly settings: Settings
  readonly warnings: readonly string[]
} {
  const problems: string[] = []
  const settings = Object.fromEntries(
    Object.entries(SETTING_ROWS).map(([key, row]) => {
      const text = env[row.variable] || row.default
      if (text === '') return [key, row.type.includes('separated') ? [] : undefined]
      try {
        return [key, row.read(text)]
      } catch (problem) {
        problems.push(`${row.variable}: ${(problem as Error).message}`)
        return [key, undefined]
      }
    }),
  ) as unknown as Settings
  if (problems.length > 0) throw new SettingsError(problems)
  return { settings, warnings: unknownNames(env) }
}

function unknownNames(env: Readonly<Record<string, string | undefined>>): string[] {
  const known = Object.values(SETTING_ROWS).map(({ variable }) => variable)
  return Object.keys(env)
    .filter((name) => name.startsWith(PREFIX) && !known.includes(name) && !OTHERS.has(name))
    .sort()
    .map((name) => {
      const near = suggest(name, known)
      const hint = near === undefined ? '' : ` (did you mean ${near}?)`
      return `${name} is not a setting of this version${hint}; docs/configuration.md lists all`
    })
}

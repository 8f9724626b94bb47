import { readFileSync } from 'node:fs'
import { delimiter, join, resolve } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { readSettings, SettingsError } from '../../server/settings/settings.ts'
import { settingsPage } from '../../server/settings/settings-page.ts'

const test = suite('settings')

function problems(env: Record<string, string>): readonly string[] {
  try {
    readSettings(env)
  } catch (error) {
    assert.instance(error, SettingsError)
    return (error as SettingsError).problems
  }
  return []
}

test('an empty environment gives the defaults, and an empty value counts as not set', () => {
  const { settings, warnings } = readSettings({ SVC_PORT: '', PATH: '/bin' })
  assert.equal(warnings, [])
  assert.equal(settings, {
    port: 8000,
    host: '127.0.0.1',
    data: resolve('data'),
    doctypes: [],
    databaseUrl: undefined,
    databaseReadUrl: undefined,
    databasePool: 10,
    databaseReadPool: 4,
    databaseConnectMs: 10_000,
    databaseStatementMs: 60_000,
    databaseLockMs: 10_000,
    databaseIdleMs: 15_000,
    databasePrepare: true,
    durability: 'full',
    readers: 2,
    statementBudgetMs: 5_000,
    workPerMinuteMs: undefined,
    nativeFolder: undefined,
    env: 'live',
    baseUrl: undefined,
    integrateUrl: undefined,
    apiUrl: undefined,
    publicHosts: [],
    trustProxy: [],
    corsOrigins: [],
    logLevel: 'info',
    logFormat: 'auto',
    rateLimit: true,
    directRoutes: true,
    webhookAllowPrivate: false,
    webhookRetryBaseMs: 5000,
    eventRetentionDays: undefined,
    verifyNightly: false,
    filesUrl: undefined,
    s3Endpoint: undefined,
    s3Region: 'us-east-1',
    s3AccessKey: undefined,
    s3SecretKey: undefined,
    smtpUrl: undefined,
    mailFrom: undefined,
    signup: true,
    stripeSecretKey: undefined,
    stripeWebhookSecret: undefined,
    stripeApiBase: undefined,
    secretKey: undefined,
  })
})

test('values are read as their type', () => {
  const { settings } = readSettings({
    SVC_PORT: '0',
    SVC_DOCTYPES: ['a', '/b'].join(delimiter),
    SVC_BASE_URL: 'https://example.com/svc/',
    SVC_TRUST_PROXY: '10.0.0.0/8, ::1',
    SVC_CORS_ORIGINS: 'https://a.example,http://localhost:3000',
    SVC_RATE_LIMIT: 'off',
    SVC_DATABASE_PREPARE: 'off',
    SVC_SECRET_KEY: Buffer.alloc(32, 1).toString('base64'),
  })
  assert.is(settings.port, 0)
  assert.equal(settings.doctypes, [resolve('a'), resolve('/b')])
  assert.is(settings.baseUrl, 'https://example.com/svc')
  assert.equal(settings.trustProxy, ['10.0.0.0/8', '::1'])
  assert.equal(settings.corsOrigins, ['https://a.example', 'http://localhost:3000'])
  assert.is(settings.rateLimit, false)
  assert.is(settings.databasePrepare, false)
  assert.is(settings.secretKey?.length, 32)
})

test('values that cannot be are refused all at once, each with what was expected', () => {
  const found = problems({
    SVC_PORT: '99999',
    SVC_DURABILITY: 'safe',
    SVC_ENV: 'prod',
    SVC_DATABASE_URL: 'mysql://root:hunter2@x/y',
    SVC_BASE_URL: 'example.com',
    SVC_TRUST_PROXY: 'loopback',
    SVC_CORS_ORIGINS: 'https://a.example/path',
    SVC_LOG_LEVEL: 'loud',
    SVC_RATE_LIMIT: 'yes',
    SVC_DATABASE_PREPARE: '0',
    SVC_SMTP_URL: 'http://mail:hunter2@x',
    SVC_MAIL_FROM: 'nobody',
    SVC_SIGNUP: 'no',
    SVC_STRIPE_API_BASE: 'localhost',
    SVC_SECRET_KEY: 'aHVudGVyMg==',
  })
  assert.is(found.length, 15)
  for (const problem of found) {
    assert.match(problem, /^SVC_[A-Z_]+: expected /)
    assert.not.match(problem, /hunter2|aHVudGVyMg/)
  }
})

test('an unknown name with our prefix is a warning that says what was perhaps meant', () => {
  const { warnings } = readSettings({
    SVC_PROT: '1',
    SVC_TEST_DATABASE_URL: 'x',
    SVC_API_KEY: 'x',
    OTHER: 'x',
  })
  assert.is(warnings.length, 1)
  assert.match(warnings[0]!, 'SVC_PROT is not a setting of this version (did you mean SVC_PORT?)')
})

test('docs/configuration.md is what the table renders', () => {
  const file = join(import.meta.dirname, '../../docs/configuration.md')
  assert.is(readFileSync(file, 'utf8'), settingsPage())
})

test.run()

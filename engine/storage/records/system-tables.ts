import { DESK_TABLES } from './desk-tables.ts'
import { FACTOR_TABLES } from './factor-tables.ts'
import { FILE_TABLES } from './file-tables.ts'
import { JOB_TABLES } from './job-tables.ts'
import type { TableShape } from './shape.ts'
import { integer, optionalInteger, optionalText, table, text } from './system-table.ts'

/**
 * The engine's own tables. They are never reachable through the generic API (house decision 7).
 * Times are ISO text in UTC, flags 0 or 1, lists and objects JSON text.
 */
export const SYSTEM_TABLES: readonly TableShape[] = [
  /** Definitions that the workspace was brought to, the newest last (docs/decisions/0056); `folders` is a list. */
  table(
    'svc_definitions',
    'generation',
    [integer('generation'), text('checksum'), text('program'), text('folders'), text('created')],
    [{ name: 'ix_svc_definitions_checksum', columns: ['checksum'], unique: false }],
  ),
  /** Settings, one a row, e.g. `tier`. */
  table('svc_settings', 'key', [text('key'), text('value')]),
  /** Counters of naming series, one per resolved prefix. */
  table('svc_series', 'prefix', [text('prefix'), integer('current')]),
  /**
   * A small stable number for each DocType: the upper bits of its rows in the search index; `searched` tells
   * what those rows were made of.
   */
  table(
    'svc_doctype_numbers',
    'number',
    [text('doctype'), text('searched')],
    [{ name: 'ux_svc_doctype_numbers_doctype', columns: ['doctype'], unique: true }],
  ),
  /**
   * The event log (spec §6). `data` is the record as GET shows it, packed once it is old by one of the dictionaries
   * (engine/storage/workspace/packed-text.ts).
   */
  table(
    'svc_events',
    'seq',
    [
      text('id'),
      text('event'),
      text('resource'),
      text('kind'),
      text('record_id'),
      text('at'),
      text('actor'),
      text('data'),
    ],
    [
      { name: 'ux_svc_events_id', columns: ['id'], unique: true },
      { name: 'ix_svc_events_record', columns: ['resource', 'record_id'], unique: false },
      { name: 'ix_svc_events_event', columns: ['event', 'seq'], unique: false },
      { name: 'ix_svc_events_kind', columns: ['kind', 'seq'], unique: false },
      { name: 'ix_svc_events_actor', columns: ['actor', 'seq'], unique: false },
    ],
  ),
  /** What packed events of a resource have in common: the text of one of them. A row is never changed. */
  table(
    'svc_event_dictionaries',
    'number',
    [text('resource'), text('text')],
    [{ name: 'ix_svc_event_dictionaries_resource', columns: ['resource'], unique: false }],
  ),
  /** Journal of what submits did beside posting to ledgers, for their cancel (rules.md §4.2). */
  table(
    'svc_journal',
    'seq',
    [
      text('doctype'),
      text('name'),
      text('kind'),
      text('target_doctype'),
      text('target_name'),
      optionalText('field'),
      optionalText('old_value'),
      optionalText('new_value'),
    ],
    [{ name: 'ix_svc_journal_document', columns: ['doctype', 'name'], unique: false }],
  ),
  /**
   * API keys, and pairs of key and secret: only the SHA-256 of what is secret is kept (reliability.md K1). `login` names
   * the person whose roles one has; unset = the workspace's own, made on the command line. `pair` is the open half of a
   * pair; unset for a key.
   */
  table(
    'svc_api_keys',
    'id',
    [
      text('id'),
      text('hash'),
      text('prefix'),
      text('last4'),
      text('scope'),
      text('env'),
      optionalText('label'),
      text('allow_ips'),
      text('created'),
      text('created_by'),
      optionalText('expires'),
      optionalText('last_used'),
      optionalText('revoked'),
      optionalText('login'),
      optionalText('pair'),
    ],
    [
      { name: 'ux_svc_api_keys_hash', columns: ['hash'], unique: true },
      { name: 'ux_svc_api_keys_pair', columns: ['pair'], unique: true },
      { name: 'ix_svc_api_keys_login', columns: ['login'], unique: false },
    ],
  ),
  /**
   * Accounts, by which people sign in, beside their record (the DocType that serves users), which carries no secret.
   * `login` is that record's name; `demo_tier` the tier a demo account sees instead of the workspace's. `unconfirmed`
   * is when the account of a stranger ends whose address nobody has proven; unset = proven, or made by the workspace.
   */
  table('svc_accounts', 'login', [
    text('login'),
    optionalText('password'),
    optionalText('password_changed'),
    optionalText('demo_tier'),
    optionalText('unconfirmed'),
  ]),
  /**
   * Sessions of who is signed in: only the SHA-256 of the cookie is kept (reliability.md S1). `grants` is a digest of
   * what the person was and might do when they signed in; another one ends the session (S2).
   */
  table(
    'svc_sessions',
    'id',
    [
      text('id'),
      text('hash'),
      text('login'),
      text('grants'),
      integer('by_page'),
      text('created'),
      text('last_seen'),
      text('expires'),
      optionalText('address'),
      optionalText('agent'),
    ],
    [
      { name: 'ux_svc_sessions_hash', columns: ['hash'], unique: true },
      { name: 'ix_svc_sessions_login', columns: ['login'], unique: false },
      { name: 'ix_svc_sessions_expires', columns: ['expires'], unique: false },
    ],
  ),
  /**
   * Attempts to sign in, counted by account and by address before the password is looked at (reliability.md S8);
   * times in ms.
   */
  table(
    'svc_sign_in_attempts',
    'key',
    [text('key'), integer('attempts'), integer('last'), integer('locked_until')],
    [{ name: 'ix_svc_sign_in_attempts_last', columns: ['last'], unique: false }],
  ),
  /**
   * Links that work once, such as for a new password: only their SHA-256 is kept. `address` is where one was mailed
   * to: it works while that is the person's. `go_on_to` is the path to go on to: what strangers wrote is in no mail.
   */
  table(
    'svc_one_time_links',
    'id',
    [
      text('id'),
      text('hash'),
      text('login'),
      optionalText('address'),
      text('purpose'),
      text('created'),
      text('expires'),
      optionalText('used'),
      optionalText('go_on_to'),
    ],
    [
      { name: 'ux_svc_one_time_links_hash', columns: ['hash'], unique: true },
      { name: 'ix_svc_one_time_links_login', columns: ['login'], unique: false },
    ],
  ),
  ...FACTOR_TABLES,
  ...DESK_TABLES,
  ...JOB_TABLES,
  ...FILE_TABLES,
  /**
   * The plan the workspace chose or pays for: one row. `reference` is how the payment provider knows the
   * workspace, `version` counts the changes of the row; unset `seats` is no limit, unset `subscription` a plan
   * nobody is charged for.
   */
  table('svc_subscription', 'id', [
    text('id'),
    text('tier'),
    text('status'),
    optionalInteger('seats'),
    optionalText('customer'),
    optionalText('subscription'),
    optionalText('current_period_end'),
    integer('cancel_at_period_end'),
    text('reference'),
    integer('version'),
    text('modified'),
  ]),
  /** Events of the payment provider that were followed; one that comes again is known by its id. */
  table(
    'svc_provider_events',
    'id',
    [text('id'), text('type'), text('received')],
    [{ name: 'ix_svc_provider_events_received', columns: ['received'], unique: false }],
  ),
  /** Answers of idempotent requests (contract §3); written with the change they answer. */
  table(
    'svc_idempotency',
    'key',
    [
      text('key'),
      text('fingerprint'),
      integer('status'),
      text('headers'),
      text('body'),
      text('created'),
    ],
    [{ name: 'ix_svc_idempotency_created', columns: ['created'], unique: false }],
  ),
  /**
   * Idempotent requests that called another service before their change was committed (contract §3). `call` is
   * the key that service knows the request by; `holder` the process that makes the call, until `until`.
   */
  table(
    'svc_idempotency_started',
    'key',
    [
      text('key'),
      text('fingerprint'),
      text('call'),
      optionalText('holder'),
      text('until'),
      text('created'),
    ],
    [{ name: 'ix_svc_idempotency_started_created', columns: ['created'], unique: false }],
  ),
  /**
   * Subscriptions to events (spec §2). `secrets` is sealed, `events` a list of patterns, `scope` that of who made it.
   * `login` names the person it belongs to; unset = the workspace's own. `paused_because` is why it was paused with its
   * person's rights.
   */
  table('svc_webhooks', 'id', [
    text('id'),
    text('url'),
    text('events'),
    optionalText('label'),
    text('status'),
    text('secrets'),
    text('api_version'),
    text('created'),
    text('created_by'),
    text('scope'),
    text('modified'),
    optionalText('failing_since'),
    optionalText('login'),
    optionalText('paused_because'),
  ]),
  /**
   * Deliveries to subscriptions: one row per event and subscription, written with the change. `due` (ms) is when the
   * next attempt is to be made, or until when an attempt under way is waited for; unset = nothing is to be done.
   * `asked_again` (ms) is when somebody asked for one attempt more while one was under way. `data` only where the
   * event is not in the log (tests).
   */
  table(
    'svc_deliveries',
    'id',
    [
      text('id'),
      text('webhook_id'),
      text('event_id'),
      text('event'),
      text('state'),
      integer('attempts'),
      integer('tries'),
      integer('manual'),
      optionalInteger('due'),
      optionalInteger('first_try'),
      optionalText('leased_by'),
      optionalInteger('asked_again'),
      text('created'),
      optionalText('data'),
    ],
    [
      {
        name: 'ux_svc_deliveries_event',
        columns: ['event_id', 'webhook_id'],
        unique: true,
      },
      {
        name: 'ix_svc_deliveries_due',
        columns: ['webhook_id', 'manual', 'due'],
        unique: false,
        whereNotNull: 'due',
      },
      {
        name: 'ix_svc_deliveries_leased',
        columns: ['leased_by'],
        unique: false,
        whereNotNull: 'leased_by',
      },
    ],
  ),
  /** Every attempt of a delivery and how it ended (spec §2, delivery log entry). */
  table(
    'svc_delivery_attempts',
    'id',
    [
      text('id'),
      text('delivery_id'),
      text('webhook_id'),
      text('event'),
      integer('attempt'),
      text('trigger'),
      text('url'),
      optionalInteger('status_code'),
      integer('latency_ms'),
      optionalText('response_preview'),
      optionalText('error'),
      text('attempted_at'),
      optionalText('next_attempt_at'),
    ],
    [
      { name: 'ix_svc_delivery_attempts_webhook', columns: ['webhook_id', 'id'], unique: false },
      { name: 'ix_svc_delivery_attempts_delivery', columns: ['delivery_id'], unique: false },
    ],
  ),
  /**
   * The outbox of mail: a row is written with the change it reports and sent after it. `content` is sealed, since it
   * may hold a link that signs somebody in; once sent only which record it was about is left of it; `due` and `leased_by` as of deliveries. After
   * `expires` a mail is of no use any more.
   */
  table(
    'svc_mails',
    'id',
    [
      text('id'),
      text('kind'),
      text('recipient'),
      text('content'),
      text('state'),
      integer('attempts'),
      optionalInteger('due'),
      optionalText('leased_by'),
      text('created'),
      optionalText('expires'),
      optionalText('sent'),
      optionalText('error'),
    ],
    [
      { name: 'ix_svc_mails_due', columns: ['due'], unique: false, whereNotNull: 'due' },
      { name: 'ix_svc_mails_state', columns: ['state', 'id'], unique: false },
    ],
  ),
  /**
   * Counters per window: of requests where several processes share a limit, and of what one address may do in an
   * hour.
   */
  table('svc_rate_windows', 'key', [text('key'), integer('window_start'), integer('used')]),
]

import type { TableShape } from './shape.ts'
import { integer, optionalText, table, text } from './system-table.ts'

/** Tables of second factors, by which a sign-in goes on after the password. */
export const FACTOR_TABLES: readonly TableShape[] = [
  /**
   * Second factors of people: apps that show codes, and passkeys. `secret` is sealed; `credential` is the id by which a
   * device knows a passkey; `counter` the last step of time whose code was used, or the count of the device.
   */
  table(
    'svc_factors',
    'id',
    [
      text('id'),
      text('login'),
      text('kind'),
      text('name'),
      text('secret'),
      optionalText('credential'),
      integer('counter'),
      text('created'),
      optionalText('last_used'),
    ],
    [{ name: 'ix_svc_factors_login', columns: ['login'], unique: false }],
  ),
  /** Recovery codes that were not used yet: only their SHA-256 is kept. */
  table(
    'svc_recovery_codes',
    'hash',
    [text('hash'), text('login')],
    [{ name: 'ix_svc_recovery_codes_login', columns: ['login'], unique: false }],
  ),
  /**
   * Tickets between the two steps of a sign-in, and of setting a second factor up: only their SHA-256 is kept. `data`
   * is sealed, `grants` as of sessions.
   */
  table(
    'svc_tickets',
    'hash',
    [text('hash'), text('login'), text('purpose'), text('grants'), text('data'), text('expires')],
    [
      { name: 'ix_svc_tickets_login', columns: ['login'], unique: false },
      { name: 'ix_svc_tickets_expires', columns: ['expires'], unique: false },
    ],
  ),
]

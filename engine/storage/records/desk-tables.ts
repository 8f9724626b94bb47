import type { TableShape } from './shape.ts'
import { integer, optionalText, table, text } from './system-table.ts'

/** Tables of what people keep for their screens. */
export const DESK_TABLES: readonly TableShape[] = [
  /**
   * Views of lists that people saved: `query` as in an address, `columns` JSON. `login` is whose it is; `shared_with` the role
   * whose people see it too.
   */
  table(
    'svc_list_views',
    'id',
    [
      text('id'),
      text('login'),
      text('resource'),
      text('title'),
      text('query'),
      text('columns'),
      text('layout'),
      optionalText('shared_with'),
      integer('is_default'),
      text('created'),
      text('modified'),
    ],
    [{ name: 'ix_svc_list_views_resource', columns: ['resource'], unique: false }],
  ),
  /** Settings of a person's own, JSON, by login and key. */
  table(
    'svc_person_settings',
    'id',
    [text('id'), text('login'), text('key'), text('value')],
    [{ name: 'ix_svc_person_settings_login', columns: ['login'], unique: false }],
  ),
  /**
   * What people were told: whose it is, why, of which record, and the event that it came of. `read_at` is unset until they
   * have read it.
   */
  table(
    'svc_notifications',
    'id',
    [
      text('id'),
      text('login'),
      text('kind'),
      text('at'),
      text('actor'),
      optionalText('resource'),
      optionalText('record_id'),
      text('title'),
      optionalText('text'),
      optionalText('event_id'),
      optionalText('read_at'),
    ],
    [
      { name: 'ix_svc_notifications_login', columns: ['login', 'read_at', 'id'], unique: false },
      { name: 'ix_svc_notifications_event', columns: ['event_id'], unique: false },
    ],
  ),
]

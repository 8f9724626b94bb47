import type { TableShape } from './shape.ts'
import { integer, optionalText, table, text } from './system-table.ts'

/** Tables of uploaded files: what is in them stands outside the database (docs/decisions/0078). */
export const FILE_TABLES: readonly TableShape[] = [
  /**
   * Contents of files, each once: SHA-256 in hex and bytes. `touched` (ms) is when somebody brought it last; one that
   * no file has is removed a day later.
   */
  table('svc_file_contents', 'hash', [text('hash'), integer('size'), integer('touched')]),
  /**
   * What the records of the DocType that serves files hold: the content of `record`, and the media type that was found
   * in it. No caller sets these, so that nobody names the content of another file as theirs.
   */
  table(
    'svc_stored_files',
    'record',
    [text('record'), text('hash'), integer('size'), text('type'), text('created')],
    [{ name: 'ix_svc_stored_files_hash', columns: ['hash'], unique: false }],
  ),
  /**
   * Links by which strangers see the paper of a record: only the SHA-256 of a token is kept. `login` names the person by whose
   * rights it is read; unset = the workspace's own.
   */
  table(
    'svc_public_links',
    'id',
    [
      text('id'),
      text('hash'),
      text('resource'),
      text('record'),
      optionalText('login'),
      text('created'),
      text('expires'),
    ],
    [
      { name: 'ux_svc_public_links_hash', columns: ['hash'], unique: true },
      { name: 'ix_svc_public_links_record', columns: ['resource', 'record'], unique: false },
    ],
  ),
]

import type { TableShape } from './shape.ts'
import { integer, optionalInteger, optionalText, table, text } from './system-table.ts'

/** Tables of long work that goes on after its request was answered (docs/decisions/0076). */
export const JOB_TABLES: readonly TableShape[] = [
  /**
   * Jobs. `owner` is whose it is (a login, or the id of a key of the workspace), `principal` as whom it acts, `input` what was
   * asked for, JSON; `record` is the one record that it is about. `place` is how far it is: all up to there is done; `due` (ms) when somebody is to work on it, or until
   * when who does is waited for; unset = nothing is to be done.
   */
  table(
    'svc_jobs',
    'id',
    [
      text('id'),
      text('kind'),
      text('owner'),
      text('principal'),
      text('resource'),
      optionalText('record'),
      text('state'),
      text('input'),
      integer('place'),
      integer('done'),
      integer('failed'),
      integer('total'),
      optionalText('result'),
      integer('tries'),
      integer('stop_asked'),
      optionalInteger('due'),
      optionalText('leased_by'),
      text('created'),
      text('modified'),
    ],
    [
      { name: 'ix_svc_jobs_due', columns: ['due'], unique: false, whereNotNull: 'due' },
      { name: 'ix_svc_jobs_owner', columns: ['owner', 'id'], unique: false },
      { name: 'ix_svc_jobs_record', columns: ['record'], unique: false, whereNotNull: 'record' },
    ],
  ),
  /** What a job works through, in pieces: ids of records, or the text of a file. Written once. */
  table(
    'svc_job_parts',
    'seq',
    [text('job'), integer('part'), text('content')],
    [{ name: 'ux_svc_job_parts_job', columns: ['job', 'part'], unique: true }],
  ),
  /**
   * What became of each record of a job, written with the change itself: what stands here was done, once. `before` is
   * what a change has replaced, JSON; `problems` why it was refused, JSON.
   */
  table(
    'svc_job_rows',
    'seq',
    [
      text('job'),
      integer('place'),
      text('outcome'),
      optionalText('record'),
      optionalText('before'),
      optionalText('problems'),
    ],
    [
      { name: 'ux_svc_job_rows_job', columns: ['job', 'place'], unique: true },
      {
        name: 'ix_svc_job_rows_problems',
        columns: ['job', 'place'],
        unique: false,
        whereNotNull: 'problems',
      },
    ],
  ),
]

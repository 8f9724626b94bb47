import type { JsonSchema } from '../../fields/field-type.ts'
import type { EventEntry } from './event-entry.ts'

/** Resource under which a workspace tells of its jobs: no DocType can have this slug. */
export const JOBS = 'jobs'

/** What is told of a job, and how far it is then. */
const TOLD = {
  progressed: {
    description: 'A job has come on by a twentieth of it.',
    state: 'running',
    done: 50,
  },
  done: {
    description: 'A job is done; single records may have been refused.',
    state: 'done',
    done: 100,
  },
  failed: { description: 'A job could not go on.', state: 'failed', done: 50 },
  stopped: {
    description: 'A job was stopped; what it had done by then stays.',
    state: 'stopped',
    done: 50,
  },
} as const

/** Word for what became of a job. */
export type JobEventKind = keyof typeof TOLD

const TEXT = { type: 'string' }
const WHOLE = { type: 'integer' }

const PROPERTIES: Readonly<Record<string, JsonSchema>> = {
  id: TEXT,
  kind: { ...TEXT, description: '`bulk`, `import`, `undo` and others' },
  owner: { ...TEXT, description: 'Login of whose it is, or the id of a key of the workspace' },
  resource: { type: ['string', 'null'], description: 'Slug of the resource that it is about' },
  state: { ...TEXT, enum: ['queued', 'running', 'done', 'failed', 'stopped'] },
  done: { ...WHOLE, description: 'Records that are through, refused ones too' },
  total: WHOLE,
  failed: { ...WHOLE, description: 'Records that were refused' },
}

/** What a workspace tells of its jobs: to System Managers. */
export const JOB_EVENTS: readonly EventEntry[] = Object.entries(TOLD).map(
  ([kind, { description, state, done }]) => ({
    event: `${JOBS}.${kind}`,
    resource: JOBS,
    kind,
    group: 'Workspace',
    description,
    key_fields: Object.keys(PROPERTIES),
    schema: { type: 'object', required: Object.keys(PROPERTIES), properties: PROPERTIES },
    example: {
      id: 'job_0mbx3k2qa7r1c9d8e7f6g5h4i',
      kind: 'bulk',
      owner: 'ann@example.com',
      resource: 'records',
      state,
      done,
      total: 100,
      failed: 2,
    },
  }),
)

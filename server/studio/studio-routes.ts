import type { Router } from 'express'
import { assertManager } from '../../engine/access/can.ts'
import { validationError } from '../../engine/base/errors.ts'
import { DOCTYPE_NAME, metaSchemaJson } from '../../engine/definition/grammar/meta-schema.ts'
import { isMap } from '../../engine/definition/yaml/source.ts'
import { TYPE_MEANINGS } from '../../engine/fields/type-meanings.ts'
import type { Engine } from '../../engine/index.ts'
import { reportSchemaJson } from '../../engine/reports/declare/report-schema.ts'
import { sendJson } from '../http/answer.ts'
import { type BodyField, readFields } from '../http/fields-of-body.ts'
import { methodNotAllowed } from '../http/not-found.ts'
import { takes } from '../http/query-parameters.ts'
import type { ApiResponse, Handler } from '../http/request-state.ts'
import { parameter, resourceNotFound, type V1 } from '../v1/call.ts'
import type { Opened, Studio, Tried, Wish } from './studio.ts'
import { rightsOf } from './trial.ts'

/**
 * `/v1/studio`: the definitions of the workspace, read, tried and saved while it runs (docs/doctypes/studio.md). For System Managers
 * and their admin keys.
 */
export function studioRoutes(
  router: Router,
  v1: Pick<V1, 'engine' | 'jobs'>,
  studio: Studio,
): void {
  router.get('/studio', takes(), readWorkspace(v1, studio))
  router.all('/studio', methodNotAllowed('GET, HEAD'))
  router.post('/studio/trial', takes(), tryWish(studio))
  router.post('/studio/save', takes(), save(v1, studio))
  router.post('/studio/undo', takes(), undo(v1, studio))
  for (const name of ['trial', 'save', 'undo'])
    router.all(`/studio/${name}`, methodNotAllowed('POST'))
  router.get('/studio/:slug', takes(), readOne(v1, studio))
  router.all('/studio/:slug', methodNotAllowed('GET, HEAD'))
}

function assertMay({ locals }: ApiResponse, what: string): void {
  assertManager(locals.actor, 'admin', what)
}

function readWorkspace({ engine }: Pick<V1, 'engine'>, studio: Studio): Handler {
  return async (_request, response) => {
    assertMay(response, 'read the definitions')
    const { registry, roles } = engine.services
    const { vocabulary } = registry
    const body = {
      writable: studio.whyNot() ?? true,
      modules: [...vocabulary.modules].map(([name, label]) => ({ name, label })),
      tiers: vocabulary.tiers,
      types: Object.entries(TYPE_MEANINGS).map(([name, meaning]) => ({
        name,
        meaning: meaning.filter(Boolean).join('; '),
      })),
      roles: Object.keys(roles.roles),
      doctypes: registry.all.map(({ doctype }) => doctype),
      schema: metaSchemaJson(vocabulary),
      report_schema: reportSchemaJson(vocabulary),
    }
    sendJson(response, 200, JSON.stringify(body))
  }
}

function readOne({ engine }: Pick<V1, 'engine'>, studio: Studio): Handler {
  return async (request, response) => {
    assertMay(response, 'read the definitions')
    const slug = parameter(request, 'slug')
    const definition = engine.services.registry.bySlug(slug)
    if (!definition) throw resourceNotFound(slug, [])
    const rights = Object.fromEntries(rightsOf(engine.services.grants, definition))
    const opened = studio.open(definition.doctype)
    sendJson(
      response,
      200,
      JSON.stringify({ slug: definition.slug, ...shownOpened(opened), rights }),
    )
  }
}

function shownOpened({ edited, hash, file, files, last }: Opened): object {
  const { doctype, kind, base, definition } = edited
  return {
    doctype,
    kind,
    file,
    hash,
    definition: definition ?? null,
    base: base ?? null,
    files,
    undo: last ?? null,
  }
}

function tryWish(studio: Studio): Handler {
  return async (_request, response) => {
    assertMay(response, 'change the definitions')
    const wish = wishOf(readFields(response.locals.body, WISH))
    sendJson(response, 200, JSON.stringify(shownTrial(await studio.try(wish))))
  }
}

function shownTrial(tried: Tried): object {
  const { isOk, edited, file, text, diff, unsayable, problems, warnings } = tried
  const { migration, losses, rights, slug } = tried
  return {
    ok: isOk,
    kind: edited.kind,
    slug: slug ?? null,
    file,
    text,
    diff,
    unsayable,
    problems,
    warnings,
    migration: migration ?? null,
    losses,
    rights,
  }
}

function save({ engine, jobs }: Pick<V1, 'engine' | 'jobs'>, studio: Studio): Handler {
  return async (_request, response) => {
    assertMay(response, 'change the definitions')
    const fields = readFields(response.locals.body, { ...WISH, ...SAVING })
    const saved = await studio.save(wishOf(fields), {
      by: response.locals.actor.name,
      hash: fields.hash?.value ?? null,
      acceptLosses: fields.accept_losses ?? false,
    })
    answerSaved(engine, jobs, response, saved)
  }
}

function undo({ engine, jobs }: Pick<V1, 'engine' | 'jobs'>, studio: Studio): Handler {
  return async (_request, response) => {
    assertMay(response, 'change the definitions')
    const { doctype = '' } = readFields(response.locals.body, { doctype: WISH.doctype })
    answerSaved(engine, jobs, response, await studio.undo(doctype))
  }
}

function answerSaved(
  engine: Engine,
  jobs: V1['jobs'],
  response: ApiResponse,
  { slug, file, hash }: Awaited<ReturnType<Studio['save']>>,
): void {
  // Fields that are computed get their values by a job.
  jobs.ask()
  const { generation } = engine.services
  sendJson(response, 200, JSON.stringify({ slug: slug ?? null, file, hash, generation }))
}

const NAME = new RegExp(DOCTYPE_NAME)

const text = (most: number): ((value: unknown) => string | undefined) => {
  return (value) => (typeof value === 'string' && value.length <= most ? value : undefined)
}

const WISH = {
  doctype: {
    expected:
      'the name of a DocType such as "Fleet Vehicle": letters, digits, single spaces and dashes, at most 60',
    read: (value): string | undefined =>
      typeof value === 'string' && value.length <= 60 && NAME.test(value) ? value : undefined,
    required: true,
  },
  definition: {
    expected: 'an object with the words of the YAML',
    read: (value) => (isMap(value) ? value : undefined),
  },
  text: { expected: 'the text of a YAML file', read: text(1_000_000) },
  module_label: {
    expected: 'a text of 1 to 140 characters',
    read: (value) => text(140)(value) || undefined,
  },
} satisfies Readonly<Record<string, BodyField<unknown>>>

const SAVING = {
  hash: {
    expected: 'the hash that the file was read with, null for a file that is yet to be made',
    // What is null was sent, too.
    read: (value): { readonly value: string | null } | undefined =>
      value === null || typeof value === 'string' ? { value } : undefined,
    required: true,
  },
  accept_losses: {
    expected: 'true or false',
    read: (value) => (typeof value === 'boolean' ? value : undefined),
  },
} satisfies Readonly<Record<string, BodyField<unknown>>>

function wishOf(fields: {
  readonly doctype?: string
  readonly definition?: Readonly<Record<string, unknown>>
  readonly text?: string
  readonly module_label?: string
}): Wish {
  const { doctype = '', definition, text: yaml, module_label: moduleLabel } = fields
  if ((definition === undefined) === (yaml === undefined))
    throw validationError([
      { field: 'definition', message: 'expected either definition or text', code: 'required' },
    ])
  return { doctype, definition, text: yaml, moduleLabel }
}

import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { systemClock } from '../../../engine/base/clock.ts'
import { AppError, type Detail } from '../../../engine/base/errors.ts'
import { loadDefinitions } from '../../../engine/definition/load/load.ts'
import type { DocTypeDefinition } from '../../../engine/definition/model/definition.ts'
import { createPresenter } from '../../../engine/documents/work/present.ts'
import type { Field } from '../../../engine/fields/field.ts'
import { createProgram } from '../../../engine/rules/program/program.ts'
import { resourceDetail } from '../../../engine/schema/catalogue/catalog.ts'
import { resourceEvents } from '../../../engine/schema/catalogue/event-catalogue.ts'
import {
  inputShapes,
  recordSchema,
  rowSchema,
} from '../../../engine/schema/shapes/doctype-schemas.ts'
import { inputSchema } from '../../../engine/schema/shapes/json-schema.ts'
import { looseInput } from '../../../engine/schema/shapes/loose-input.ts'
import {
  createExample,
  recordExample,
  updateExample,
} from '../../../engine/schema/shapes/openapi-examples.ts'
import { equalityParameters } from '../../../engine/schema/shapes/openapi-filters.ts'
import { childrenOf, schemaNames } from '../../../engine/schema/shapes/schema-names.ts'
import { docTable } from '../../../engine/storage/records/tables.ts'
import { hooks } from '../../../hooks/index.ts'
import { shownRecord } from '../../../server/api/shown-record.ts'
import { selectionOf } from '../../../server/export/selection.ts'
import { readListQuery } from '../../../server/http/list-params.ts'
import { columnsOf } from '../../../server/import/columns.ts'

const { registry } = loadDefinitions([join(import.meta.dirname, '../../../doctypes')], hooks)
const program = createProgram(registry)
const names = schemaNames(registry)
const ref = (name: string): string => `#/${name}`

/** A name that no DocType has: what is said of it has to be said of an internal name. */
const NOBODY = 'zz_nobodys_field'

/** What comes out of a resource, by surface, as data whose keys and texts may name fields. */
const OUT: Readonly<Record<string, (definition: DocTypeDefinition) => unknown>> = {
  'GET and events': (definition) => blankRecord(definition),
  'a row of a list': (definition) => {
    const { showRaw } = createPresenter(docTable(definition)).listed()
    return showRaw({ rid: 1, docstatus: 0 } as never)
  },
  'surface A': (definition) => shownRecord(definition, blankRecord(definition)),
  'the schema of a record': (definition) => recordSchema(definition, names, ref),
  'the schemas of bodies': (definition) => [
    inputShapes(definition, names, ref),
    inputSchema(definition, 'create'),
    inputSchema(definition, 'update'),
  ],
  examples: (definition) => [
    recordExample(definition),
    createExample(definition),
    updateExample(definition),
  ],
  filters: equalityParameters,
  'the catalogue': (definition) => linksOfFetches(resourceDetail(registry, definition)),
  'the event catalogue': (definition) => resourceEvents(registry, definition),
  'an export': (definition) => {
    const { own, tables } = selectionOf(definition, undefined)
    return [namesOf(own), tables.map(({ field, columns }) => ({ [field.name]: namesOf(columns) }))]
  },
}

/** The same with the link alone of what is fetched: behind the dot stands a field of another DocType. */
function linksOfFetches(shown: unknown): unknown {
  const text = JSON.stringify(shown, (key, value: unknown) =>
    key === 'fetch' && typeof value === 'string' ? value.split('.')[0] : value,
  )
  return JSON.parse(text)
}

/** What a client may send that names a field, and the answer with the name taken out. */
const IN: Readonly<Record<string, (definition: DocTypeDefinition, name: string) => unknown>> = {
  'a create': (definition, name) => judged(definition, 'create', { [name]: 1 }, name),
  'a change': (definition, name) => judged(definition, 'update', { [name]: 1 }, name),
  'fields=': (definition, name) => listed(definition, [['fields', name]]),
  sort: (definition, name) => listed(definition, [['sort', name]]),
  'a filter': (definition, name) => listed(definition, [[name, '1']]),
  'a filter with an operator': (definition, name) => listed(definition, [[`${name}__gt`, '1']]),
  'a document of surface A': (definition, name) =>
    looseInput(definition, { [name]: 1 }, { mode: 'create' }),
  'a column of an import': (definition, name) => refused(() => columnsOf(definition, [name])),
  '--fields of an export': (definition, name) => refused(() => selectionOf(definition, name)),
}

const test = suite('internal fields of the shipped DocTypes')

test('there are hundreds of them, in rows too', () => {
  const own = registry.all.flatMap(({ fields }) => internalOf(fields))
  const ofRows = registry.all.flatMap(({ fields }) =>
    fields.flatMap(({ child }) => internalOf(child?.fields ?? [])),
  )
  assert.ok(own.length > 250, String(own.length))
  assert.ok(ofRows.length > 350, String(ofRows.length))
})

for (const [surface, show] of Object.entries(OUT))
  test(`come out in no place: ${surface}`, () => {
    for (const definition of registry.all) {
      const { internal, known } = namesIn(definition)
      if (internal.size === 0) continue
      const found = [...wordsIn(show(definition))].filter(
        (word) => internal.has(word) && !known.has(word),
      )
      assert.equal(found, [], definition.doctype)
    }
  })

test('come out in no place: rows', () => {
  for (const child of childrenOf(registry)) {
    const { properties } = rowSchema(child, names, ref)
    const shown = new Set(Object.keys(properties as object))
    assert.equal(
      internalOf(child.fields).filter((name) => shown.has(name)),
      [],
      child.name,
    )
  }
})

for (const [surface, send] of Object.entries(IN))
  test(`go in nowhere: ${surface} is answered as for a name that nobody has`, () => {
    for (const definition of registry.all) {
      const internal = internalOf(definition.fields)
      if (internal.length === 0) continue
      for (const name of internal) {
        // Before the last two underscores of a made column stands what may be the name of a field.
        const [, before = ''] = /^(.*__)?/.exec(name) ?? []
        const nobody = before + NOBODY
        const [expected] = withoutNames(send(definition, nobody), nobody)
        const [answer, text] = withoutNames(send(definition, name), name)
        assert.is(answer, expected, `${definition.doctype}.${name}`)
        // What may have been meant is public, so the name of no other internal field is in it.
        const told = [...wordsIn(text)].filter(
          (word) =>
            internal.includes(word) && word !== name && !namesIn(definition).known.has(word),
        )
        assert.equal(told, [], `${definition.doctype}.${name}`)
      }
    }
  })

test('go in nowhere: rows of a create and of a change', () => {
  for (const definition of registry.all)
    for (const { name: table, child } of definition.fields)
      for (const name of internalOf(child?.fields ?? []))
        for (const mode of ['create', 'update'] as const) {
          const place = `${table}[0].${name}`
          const { problems } = program
            .validatorOf(definition)
            .judge(mode, { [table]: [{ [name]: 1 }] })
          const said = problems.find(({ field }) => field === place || field === table)
          assert.ok(said, `${definition.doctype}.${place}`)
          if (said.field === place) assert.is(said.code, 'unknown_field')
        }
})

test.run()

interface Names {
  readonly internal: ReadonlySet<string>
  /** Names that an internal field of one table shares with a public one elsewhere in the DocType, and words of the wire. */
  readonly known: ReadonlySet<string>
}

function namesIn(definition: DocTypeDefinition): Names {
  const all = [
    ...definition.fields,
    ...definition.fields.flatMap(({ child }) => child?.fields ?? []),
  ]
  const inputs = Object.values(definition.behaviour.actions ?? {}).flatMap(
    ({ input = [] }) => input,
  )
  return {
    internal: new Set(internalOf(all)),
    known: new Set([
      ...Object.keys(definition.behaviour.events ?? {}),
      ...namesOf([...all, ...inputs].filter(({ internal }) => !internal)),
      ...Object.values(definition.behaviour.events ?? {}).flatMap(({ data = [] }) =>
        Array.isArray(data) ? [] : Object.keys(data),
      ),
    ]),
  }
}

function internalOf(fields: readonly Field[]): string[] {
  return namesOf(fields.filter(({ internal }) => internal))
}

function namesOf(fields: readonly Field[]): string[] {
  return fields.map(({ name }) => name)
}

/** A record of which nothing is set, with a row in each table, as GET and events show it. */
function blankRecord(definition: DocTypeDefinition): Record<string, unknown> {
  const rows = definition.fields
    .filter(({ child }) => child)
    .map(({ name }) => [name, [{ row_id: 'r1' }]] as const)
  const doc = { name: 'X-1', docstatus: 0, ...Object.fromEntries(rows) }
  return createPresenter(docTable(definition)).record(doc as never)
}

/** Keys and identifiers in texts; labels and descriptions are sentences, whose words may be anything. */
function* wordsIn(value: unknown, key = ''): Iterable<string> {
  if (typeof value === 'string') {
    if (!PROSE.has(key)) yield* value.match(/[a-z_][a-z0-9_]*/g) ?? []
  } else if (Array.isArray(value)) for (const one of value) yield* wordsIn(one, key)
  else if (typeof value === 'object' && value !== null) {
    for (const [name, one] of Object.entries(value)) {
      if (!WIRE.has(name)) yield name
      yield* wordsIn(one, name)
    }
  }
}

/** Keys whose texts are for people, or name resources. */
const PROSE: ReadonlySet<string> = new Set([
  ...['label', 'label_plural', 'description', 'title', 'message'],
  ...['resource', 'slug', 'aliases', 'creates'],
])

/** Keys of descriptions themselves, where a field may be called the same. */
const WIRE: ReadonlySet<string> = new Set([
  'title',
  'name',
  'type',
  'options',
  'default',
  'required',
])

function judged(
  definition: DocTypeDefinition,
  mode: 'create' | 'update',
  body: object,
  name: string,
): readonly Detail[] {
  const { problems } = program.validatorOf(definition).judge(mode, body)
  return problems.filter(({ field }) => field === name)
}

function listed(definition: DocTypeDefinition, parameters: [string, string][]): unknown {
  return refused(() => readListQuery({ registry, clock: systemClock }, definition, parameters))
}

function refused(run: () => unknown): unknown {
  try {
    return run()
  } catch (error) {
    return error instanceof AppError ? [error.message, error.details] : (error as Error).message
  }
}

/** An answer as text: what is wrong without suggestions, which differ with the name, and all of it. */
function withoutNames(answer: unknown, name: string): readonly [string, string] {
  const text = JSON.stringify(answer).replaceAll(
    new RegExp(`\\b${name}(?![a-z0-9]|_(?!_))`, 'g'),
    '…',
  )
  return [text.replace(/[;,] did you mean [^"?]*\?| \(did you mean [^)]*\)/g, ''), text]
}

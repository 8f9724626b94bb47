import type { DocTypeDefinition } from '../../definition/model/definition.ts'
import type { Field } from '../../fields/field.ts'
import { fieldType } from '../../fields/index.ts'
import { publicFields } from '../../fields/public-fields.ts'
import { type InputMode, isWritable, mustBeSent } from './json-schema.ts'

type Example = Record<string, unknown>

const WHEN = '2026-01-15T09:30:00.000Z'
const WHO = 'Administrator'
const ROW_ID = 'd858377769e44a0802f2'
/** Most fields of an example body: one that shows more teaches nothing more. */
const MOST_CHANGES = 2

/** A record as GET of one answers it. Links name records that need not exist. */
export function recordExample(definition: DocTypeDefinition): Example {
  const id = nameExample(definition)
  return {
    id,
    name: id,
    ...Object.fromEntries(
      publicFields(definition).map((field) => [field.name, shownExample(field)]),
    ),
    ...statusExample(definition),
    ...(definition.submittable ? { docstatus: 0, amended_from: null } : {}),
    owner: WHO,
    created: WHEN,
    modified: WHEN,
    modified_by: WHO,
  }
}

/** A row of a list that was asked for the columns of the resource's own list. */
export function listItemExample(definition: DocTypeDefinition): Example {
  const record = recordExample(definition)
  const shown = ['id', ...definition.listFields, 'modified']
  return Object.fromEntries(shown.map((name) => [name, record[name]]))
}

/**
 * The smallest useful body of a create: what must be sent, and the columns of the list. Links only where
 * they must be: they name records that may not exist.
 */
export function createExample(definition: DocTypeDefinition): Example {
  const listed = new Set(definition.listFields)
  const sent = publicFields(definition).filter(
    (field) =>
      isWritable(field, 'create') &&
      (mustBeSent(field) ||
        (field.child?.minRows ?? 0) > 0 ||
        (listed.has(field.name) && !isLink(field))),
  )
  const named = definition.naming.kind === 'prompt' ? { name: nameExample(definition) } : {}
  const chosen = sent.length > 0 ? sent : firstWritable(definition, 'create')
  return { ...named, ...inputExample(chosen, 'create') }
}

/** The body of an update that changes a field or two. */
export function updateExample(definition: DocTypeDefinition): Example {
  return inputExample(firstWritable(definition, 'update'), 'update', 1)
}

/** The body of an action: what must be sent, and what names no other record. */
export function actionExample(input: readonly Field[]): Example {
  return inputExample(
    input.filter((field) => mustBeSent(field) || !isLink(field)),
    'create',
  )
}

/** Id of the example records: as the naming makes them, where that can be told. */
export function nameExample({ naming, fields, label }: DocTypeDefinition): string {
  if (naming.kind === 'autoincrement') return '1'
  if (naming.kind === 'uuid') return '019b2f4e-6f1a-7c3e-9d55-0a7f3b1c2d4e'
  if (naming.kind === 'prompt') return `${label} 1`
  const exampleOf = (name: string): string => {
    const field = fields.find((candidate) => candidate.name === name)
    return field ? String(fieldType(field.type).example(field, 0)) : name
  }
  if (naming.kind === 'field') return exampleOf(naming.field)
  return naming.pattern.replace(/\{([^}]*)\}/g, (_token, inside: string) => {
    if (/^#+$/.test(inside)) return '1'.padStart(inside.length, '0')
    return DATE_PARTS[inside] ?? exampleOf(inside)
  })
}

/** The parts of `WHEN` that naming patterns name. */
const DATE_PARTS: Readonly<Record<string, string>> = {
  YYYY: '2026',
  YY: '26',
  MM: '01',
  DD: '15',
  WW: '03',
}

function isLink({ link, linkFrom }: Field): boolean {
  return link !== undefined || linkFrom !== undefined
}

function firstWritable(definition: DocTypeDefinition, mode: InputMode): readonly Field[] {
  const possible = publicFields(definition).filter(
    (field) => isWritable(field, mode) && !field.child && !field.hidden,
  )
  const plain = possible.filter((field) => !isLink(field))
  return (plain.length > 0 ? plain : possible).slice(0, MOST_CHANGES)
}

function inputExample(fields: readonly Field[], mode: InputMode, n = 0): Example {
  return Object.fromEntries(
    fields.map((field) => [field.name, field.child ? rowInputs(field) : valueExample(field, n)]),
  )

  function rowInputs({ child }: Field): Example[] {
    const sent = publicFields(child!).filter(
      (field) => isWritable(field, mode) && mustBeSent(field),
    )
    const writable = publicFields(child!).filter((field) => isWritable(field, mode))
    const shown = sent.length > 0 ? sent : writable.slice(0, MOST_CHANGES)
    return Array.from({ length: Math.max(1, child!.minRows) }, () => inputExample(shown, mode))
  }
}

/** The status of a new record, where the YAML tells it: other values would not agree with `docstatus`. */
function statusExample({ submittable, behaviour: { status } }: DocTypeDefinition): Example {
  if (!status) return {}
  const ofNew = submittable ? 'docstatus == 0' : 'true'
  const derived = Object.entries(status.derive ?? {}).find(([, when]) => when === ofNew)
  const value = status.initial ?? derived?.[0]
  return value === undefined ? {} : { [status.field]: value }
}

function shownExample(field: Field): unknown {
  const type = fieldType(field.type)
  if (type.secret) return null
  if (!field.child) return valueExample(field, 0)
  const row = publicFields(field.child).map((column) => [column.name, shownExample(column)])
  return [{ row_id: ROW_ID, ...Object.fromEntries(row) }]
}

/** A value of a field as answers show it; `n` makes it differ. */
export function valueExample(field: Field, n: number): unknown {
  return field.defaultValue !== undefined && n === 0
    ? field.defaultValue
    : fieldType(field.type).example(field, n)
}

import type { Field } from '../../fields/field.ts'
import type { DocTypeDefinition } from './definition.ts'
import { ENGINE_FIELD } from './engine-field.ts'

/** Properties of standard fields; callers filter by most of them. */
const STANDARD = { ...ENGINE_FIELD, filterable: true } as const

/** Fields of every record (contract §3), in the order they are shown. */
const OF_EVERY_RECORD: readonly Field[] = [
  {
    ...STANDARD,
    name: 'id',
    type: 'data',
    label: 'ID',
    description: 'Identifier of the record; the same as name',
  },
  {
    ...STANDARD,
    name: 'name',
    type: 'data',
    label: 'Name',
    description: 'Name of the record; it never changes',
  },
  {
    ...STANDARD,
    name: 'created',
    type: 'datetime',
    label: 'Created',
    description: 'When the record was created',
  },
  {
    ...STANDARD,
    name: 'modified',
    type: 'datetime',
    label: 'Modified',
    description: 'When the record last changed',
  },
  {
    ...STANDARD,
    name: 'owner',
    type: 'data',
    label: 'Owner',
    description: 'Who created the record',
    filterable: false,
  },
  {
    ...STANDARD,
    name: 'modified_by',
    type: 'data',
    label: 'Modified By',
    description: 'Who last changed the record',
    filterable: false,
  },
]

/** 0 draft, 1 submitted, 2 cancelled. */
const DOCSTATUS: Field = {
  ...STANDARD,
  name: 'docstatus',
  type: 'int',
  label: 'Document Status',
  description: '0 draft, 1 submitted, 2 cancelled',
  min: 0,
  max: 2,
}

const AMENDED_FROM: Field = {
  ...STANDARD,
  name: 'amended_from',
  type: 'link',
  label: 'Amended From',
  description: 'The cancelled document this one replaces',
  filterable: false,
}

/**
 * The fields a record has without declaring them, as fields that lists can show, filter and sort by.
 * `docstatus` and `amended_from` belong to submittable DocTypes.
 */
export function standardFields({
  submittable,
  doctype,
}: Pick<DocTypeDefinition, 'submittable' | 'doctype'>): readonly Field[] {
  return submittable
    ? [...OF_EVERY_RECORD, DOCSTATUS, { ...AMENDED_FROM, link: doctype }]
    : OF_EVERY_RECORD
}

/** Field that names a row of a table, beside the fields it has. */
export const ROW_ID: Field = {
  ...ENGINE_FIELD,
  name: 'row_id',
  type: 'data',
  label: 'Row',
  description: 'Identifier of the row; it never changes',
}

const NAMES: ReadonlySet<string> = new Set(
  [...OF_EVERY_RECORD, DOCSTATUS, AMENDED_FROM].map(({ name }) => name),
)

/** Whether every record has this field by itself; a client may not send it. */
export function isStandardField(name: string): boolean {
  return NAMES.has(name)
}

const words = (text: string): string[] => text.split(/\s+/)

/** Reason why a field cannot have a name, by name. */
const TAKEN: ReadonlyMap<string, string> = new Map([
  ...[...NAMES].map((name): [string, string] => [name, 'every record has it by itself']),
  ...words('row_id idx parent doctype rid version creation').map((name): [string, string] => [
    name,
    'the engine uses it',
  ]),
  ...words('limit offset cursor sort order q fields').map((name): [string, string] => [
    name,
    'it is a parameter of lists',
  ]),
  ...words('constructor prototype').map((name): [string, string] => [
    name,
    'JavaScript objects have it',
  ]),
  ...words('xmin xmax cmin cmax ctid tableoid rowid oid').map((name): [string, string] => [
    name,
    'databases have a column of that name',
  ]),
  ...words(
    'in as break const continue else for function if import let loop package namespace return var void while true false null',
  ).map((name): [string, string] => [name, 'expressions keep the word for themselves']),
])

/** Reason why a declared field cannot have this name; undefined when it can. */
export function takenFieldName(name: string): string | undefined {
  return TAKEN.get(name)
}

/** Records that expressions have beside fields; a find or let of that name would never be seen. */
export const RECORD_NAMES: ReadonlySet<string> = new Set([
  ...['old', 'user', 'parent', 'input', 'this', 'given', 'match', 'document', 'updated'],
])

import { hash } from 'node:crypto'
import type { DocTypeDefinition } from '../../definition/model/definition.ts'
import { ENGINE_FIELD } from '../../definition/model/engine-field.ts'
import type { ChildDefinition, Field } from '../../fields/field.ts'
import type { ColumnValue, FieldType, Value } from '../../fields/field-type.ts'
import { fieldType } from '../../fields/index.ts'
import type { DatabaseKind } from '../database/database.ts'
import { indexCondition } from './index-condition.ts'
import type { ColumnShape, IndexShape, TableShape } from './shape.ts'

/** A column that holds a field, with the conversions of its type bound to it. */
export interface FieldColumn {
  readonly name: string
  readonly field: Field
  readonly type: FieldType
}

/** The table of a DocType's child rows: `sales_orders__items`. */
export interface ChildTable {
  readonly field: string
  readonly table: string
  /** The table before its field was renamed. */
  readonly renamedFrom: string | undefined
  readonly definition: ChildDefinition
  readonly columns: readonly FieldColumn[]
  /** Those of secrets. */
  readonly secrets: readonly FieldColumn[]
}

/** Storage plan of a DocType: the tables and columns of its records. */
export interface DocTable {
  readonly definition: DocTypeDefinition
  readonly table: string
  readonly columns: readonly FieldColumn[]
  /** Those of secrets. */
  readonly secrets: readonly FieldColumn[]
  readonly children: readonly ChildTable[]
  /** Columns whose values may be those of another record that is there: of unique indexes, and of what these say of rows. */
  readonly unique: ReadonlySet<string>
}

/** Standard columns of every record's table, in order, `rid` aside. */
export const STANDARD_TEXT_COLUMNS = [
  'name',
  'owner',
  'created',
  'modified',
  'modified_by',
] as const
export const STANDARD_INTEGER_COLUMNS = ['docstatus', 'version'] as const

/** The storage plan of a DocType; derive it once per definition. */
export function docTable(definition: DocTypeDefinition): DocTable {
  const children: ChildTable[] = []
  for (const field of definition.fields) {
    if (!field.child) continue
    const columns = fieldColumns(field.child.fields)
    children.push({
      field: field.name,
      table: `${definition.table}__${field.name}`,
      renamedFrom:
        field.renamedFrom === undefined ? undefined : `${definition.table}__${field.renamedFrom}`,
      definition: field.child,
      columns,
      secrets: columns.filter(isSecret),
    })
  }
  const columns = fieldColumns(definition.fields)
  if (definition.submittable) columns.push(amendedFromColumn(definition))
  return {
    definition,
    table: definition.table,
    columns,
    secrets: columns.filter(isSecret),
    children,
    unique: uniqueColumns(definition),
  }
}

function isSecret({ type }: FieldColumn): boolean {
  return type.secret === true
}

function uniqueColumns({ fields, behaviour }: DocTypeDefinition): ReadonlySet<string> {
  const alone = fields.filter(({ unique }) => unique).map(({ name }) => name)
  const together = (behaviour.unique ?? []).flatMap((rule) => [
    ...rule.fields,
    ...(rule.where?.match(/\w+/g) ?? []),
  ])
  return new Set(['name', ...alone, ...together])
}

function fieldColumns(fields: readonly Field[]): FieldColumn[] {
  return fields
    .map((field) => ({ name: field.name, field, type: fieldType(field.type) }))
    .filter(({ type }) => type.storage !== 'rows')
}

/** Column `amended_from`: a link of every submittable DocType to itself (contract §3, cancel and amend). */
function amendedFromColumn(definition: DocTypeDefinition): FieldColumn {
  const field: Field = {
    ...ENGINE_FIELD,
    name: 'amended_from',
    type: 'link',
    label: 'Amended From',
    link: definition.doctype,
  }
  return { name: 'amended_from', field, type: fieldType('link') }
}

export function encode(column: FieldColumn, value: Value | undefined): ColumnValue {
  return value === null || value === undefined ? null : column.type.toColumn(value, column.field)
}

export function decode(column: FieldColumn, raw: unknown): Value {
  return raw === null || raw === undefined
    ? null
    : column.type.fromColumn(raw as ColumnValue, column.field)
}

/** The tables a DocType wants: its own and one per child table. */
export function tableShapes(plan: DocTable, kind: DatabaseKind): TableShape[] {
  return [recordShape(plan, kind), ...plan.children.map(childShape)]
}

function recordShape({ table, columns, definition }: DocTable, kind: DatabaseKind): TableShape {
  // SQLite keeps the rid in every index by itself; PostgreSQL needs it named to sort by it.
  const tie = kind === 'postgres' ? ['rid'] : []
  const indexes: IndexShape[] = [
    { name: `ux_${table}_name`, columns: ['name'], unique: true },
    { name: `ix_${table}_modified`, columns: ['modified', ...tie], unique: false },
    { name: `ix_${table}_created`, columns: ['created', ...tie], unique: false },
  ]
  for (const { name, field } of columns) {
    if (field.unique) {
      indexes.push({
        name: `ux_${table}_${name}`,
        columns: [name],
        unique: true,
        whereNotNull: name,
      })
    }
    if (field.filterable) {
      indexes.push({
        name: `ix_${table}_${name}`,
        columns: [name, 'modified', ...tie],
        unique: false,
        // Most rows of a ledger have no party, project or batch, and nobody asks for those that have none.
        ...(definition.behaviour.ledger === undefined ? {} : { whereNotNull: name }),
      })
    } else if (isReference(field) && !field.unique) {
      indexes.push({
        name: `ix_${table}_${name}`,
        columns: [name],
        unique: false,
        whereNotNull: name,
      })
    }
  }
  for (const { fields, where } of definition.behaviour.unique ?? [])
    indexes.push(uniqueTogether(definition, fields, where, kind))
  indexes.push(...historyIndexes(definition))
  return {
    name: table,
    primaryKey: 'rid',
    system: false,
    ...(definition.behaviour.ledger === undefined ? {} : { ledger: true }),
    columns: [
      ...STANDARD_TEXT_COLUMNS.map(
        (name): ColumnShape => ({ name, type: 'text', notNull: true, default: '' }),
      ),
      { name: 'docstatus', type: 'integer', notNull: true, default: 0 },
      { name: 'version', type: 'integer', notNull: true, default: 1 },
      ...columns.map(columnShape),
    ],
    indexes,
  }
}

/** Indexes of a ledger that looks back: its rows by their place, and by the flows that lead from one to another. */
function historyIndexes({ table, behaviour, fields }: DocTypeDefinition): readonly IndexShape[] {
  const { looks_back } = behaviour.ledger ?? {}
  if (!looks_back) return []
  const { series, place, flow, takes } = looks_back
  const computed = new Set(
    fields.filter(({ formula }) => formula !== undefined).map(({ name }) => name),
  )
  return [
    // What is computed of other fields tells series of one bin apart, which are read together too.
    {
      name: `ix_${table}_${place}`,
      columns: [...series.filter((name) => !computed.has(name)), place],
      unique: false,
    },
    ...[flow, takes]
      .filter((name) => name !== undefined)
      .map((name) => ({
        name: `ix_${table}_${name}`,
        columns: [name],
        unique: false,
        whereNotNull: name,
      })),
  ]
}

function uniqueTogether(
  definition: DocTypeDefinition,
  fields: readonly string[],
  where: string | undefined,
  kind: DatabaseKind,
): IndexShape {
  const name = `ux_${definition.table}_${fields.join('__')}`
  if (where === undefined) return { name, columns: fields, unique: true }
  const condition = indexCondition(definition, where, kind)
  return {
    name: `${name}__${hash('sha256', condition.sql).slice(0, 8)}`,
    columns: fields,
    unique: true,
    where: condition,
  }
}

function childShape({ table, renamedFrom, columns }: ChildTable): TableShape {
  const indexes: IndexShape[] = [
    { name: `ix_${table}_parent`, columns: ['parent', 'idx'], unique: false },
  ]
  for (const { name, field } of columns) {
    if (isReference(field)) {
      indexes.push({
        name: `ix_${table}_${name}`,
        columns: [name],
        unique: false,
        whereNotNull: name,
      })
    }
  }
  return {
    name: table,
    ...(renamedFrom === undefined ? {} : { renamedFrom }),
    primaryKey: 'row_id',
    system: false,
    columns: [
      { name: 'row_id', type: 'text', notNull: true },
      { name: 'parent', type: 'integer', notNull: true },
      { name: 'idx', type: 'integer', notNull: true },
      ...columns.map(columnShape),
    ],
    indexes,
  }
}

/** Whether a field names a record: such fields are indexed, because deletes and cancels ask who points here. */
function isReference(field: Field): boolean {
  return field.link !== undefined || field.linkFrom !== undefined
}

function columnShape({ name, field, type }: FieldColumn): ColumnShape {
  return {
    name,
    type: type.storage === 'integer' ? 'integer' : 'text',
    notNull: false,
    ...(type.scaleOf(field) === 0 ? {} : { scale: type.scaleOf(field) }),
    ...(field.renamedFrom === undefined ? {} : { renamedFrom: field.renamedFrom }),
  }
}

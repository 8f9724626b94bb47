import type { DocTypeDefinition } from '../../definition/model/definition.ts'
import { ENGINE_FIELD } from '../../definition/model/engine-field.ts'
import { standardFields } from '../../definition/model/standard-fields.ts'
import type { ChildDefinition, Field } from '../../fields/field.ts'
import { fieldType } from '../../fields/index.ts'
import { isPublic, publicField } from '../../fields/public-fields.ts'
import type { Tree } from '../../storage/finding/tree.ts'
import {
  columnSql,
  constantSql,
  linkedSource,
  type QueryColumn,
  type Root,
  recordRoot,
  rowsRoot,
  rowsSource,
  type Source,
} from '../../storage/query/query-source.ts'
import type { ChildTable, DocTable, FieldColumn } from '../../storage/records/tables.ts'
import { assertMay, knownParts, readable } from '../rights/door.ts'
import type { Context } from '../work/context.ts'

/** Rows of a DocType's tables as the target of a query: with the DocType whose records they belong to. */
export interface RowsTarget {
  readonly child: ChildDefinition
  readonly parent: DocTypeDefinition
}

/**
 * Columns that a query over one DocType may name. What it looks up is joined; secret and internal fields, and those
 * that the caller may not read, do not exist here.
 * Look-ups give undefined for a field there is none of.
 */
export interface QueryScope {
  readonly root: Root
  readonly doctype: string
  /** Whether it is of rows: they go by `row_id`, not by `name`. */
  readonly isOfRows: boolean
  /** Declared fields that have a column here. */
  readonly fields: readonly Field[]
  /** A field of the record or row itself, the standard ones too. */
  own(name: string): QueryColumn | undefined
  /** The table fields of the record by their name, or whose rows are of this DocType. */
  tables(nameOrDoctype: string): readonly string[]
  /** A field of a table's rows; `row_id`, `idx`, `parent`, `parentfield` and `parenttype` too. */
  ofRows(table: string, name: string): QueryColumn | undefined
  /** The declared field of the first table whose rows have it: filters may leave the table out. */
  ofSomeRows(name: string): QueryColumn | undefined
  /** A field of the record a link names. Throws 403 when the caller may not read that DocType. */
  ofLinked(link: string, name: string): QueryColumn | undefined
  /** The tree that the values of a column stand in, undefined for none. Throws 403 as `ofLinked`. */
  treeOf(column: QueryColumn): Tree | undefined
}

/** The scope of records of a DocType. Throws 401/403 when the caller may not read it. */
export function recordScope(context: Context, definition: DocTypeDefinition): QueryScope {
  assertMay(context, definition, 'read')
  const plan = planOf(context, definition)
  const children = queriedTables(plan)
  const root = recordRoot(plan, readable(context, definition))
  const place = { alias: 'r', source: root, isAlways: true }
  const own = new Map([...recordColumns(place, plan), ['idx', constant(place, 'idx', 0)] as const])
  const rows = new Map<string, ReadonlyMap<string, QueryColumn>>()

  function ofRows(table: string, name: string): QueryColumn | undefined {
    const child = children.find(({ field }) => field === table)
    if (!child) return undefined
    let columns = rows.get(table)
    if (!columns) {
      const source = rowsSource(child, `t${rows.size}`)
      const ofRow = { alias: source.alias, source, isAlways: false }
      columns = new Map(rowColumns(ofRow, { ...place, source }, plan, child))
      rows.set(table, columns)
    }
    return columns.get(name)
  }

  return {
    root,
    doctype: definition.doctype,
    isOfRows: false,
    fields: shownFields(plan.columns),
    own: (name) => own.get(name),
    tables: (wanted) =>
      children
        .filter(({ field, definition: { name } }) => field === wanted || name === wanted)
        .map(({ field }) => field),
    ofRows,
    ofSomeRows(name) {
      const child = children.find(({ columns }) =>
        columns.some((one) => one.name === name && isQueried(one)),
      )
      return child && ofRows(child.field, name)
    },
    ...links(context, definition.doctype, (name) => own.get(name)),
  }
}

/** The scope of rows, each with its record as `parent`. Throws 401/403 when the caller may not read the records. */
export function rowsScope(context: Context, { child, parent }: RowsTarget): QueryScope {
  assertMay(context, parent, 'read')
  const plan = planOf(context, parent)
  const [first, ...more] = queriedTables(plan).filter(
    ({ definition }) => definition.name === child.name,
  )
  if (!first) throw new Error(`${parent.doctype} has no table of ${child.name}`)
  const root = rowsRoot(plan, [first, ...more], readable(context, parent))
  const place = { alias: 'r', source: root, isAlways: true }
  const own = new Map([
    ...rowColumns(place, { ...place, alias: 'p' }, plan, first),
    // The rows of all tables of the record are here.
    ['parentfield', column(place, standard('parentfield'), true)] as const,
  ])
  return {
    root,
    doctype: child.name,
    isOfRows: true,
    fields: shownFields(first.columns),
    own: (name) => own.get(name),
    tables: () => [],
    ofRows: () => undefined,
    ofSomeRows: () => undefined,
    ...links(context, child.name, (name) => own.get(name)),
  }
}

type Links = Pick<QueryScope, 'ofLinked' | 'treeOf'>

function links(
  context: Context,
  doctype: string,
  own: (name: string) => QueryColumn | undefined,
): Links {
  const { registry } = context.services
  const joined = new Map<string, ReadonlyMap<string, QueryColumn>>()

  function targetOf({ link, linkTable }: Field): DocTypeDefinition | undefined {
    return link === undefined || linkTable !== undefined ? undefined : registry.byDoctype(link)
  }

  return {
    ofLinked(name, field) {
      const link = own(name)
      const target = link && targetOf(link.field)
      if (!link || !target) return undefined
      let columns = joined.get(name)
      if (!columns) {
        assertMay(context, target, 'read')
        const plan = planOf(context, target)
        const alias = `l${joined.size}`
        const source = linkedSource(plan, link, alias, readable(context, target))
        columns = new Map(recordColumns({ alias, source, isAlways: false }, plan))
        joined.set(name, columns)
      }
      return columns.get(field)
    },
    treeOf({ field }) {
      const target = field.name === 'name' ? registry.byDoctype(doctype) : targetOf(field)
      const parent = target?.tree
      if (!target || !parent) return undefined
      assertMay(context, target, 'read')
      const limit = readable(context, target)
      return { table: target.table, parent, ...(limit === undefined ? {} : { limit }) }
    },
  }
}

function planOf(context: Context, definition: DocTypeDefinition): DocTable {
  return knownParts(context, context.services.partsOf(definition)).plan
}

function queriedTables({ definition, children }: DocTable): readonly ChildTable[] {
  return children.filter(({ field }) => publicField(definition, field))
}

function shownFields(columns: readonly FieldColumn[]): Field[] {
  return columns.filter(isQueried).map(({ field }) => field)
}

function isQueried({ type, field }: FieldColumn): boolean {
  return !type.secret && isPublic(field)
}

type Named = [name: string, column: QueryColumn]

/** Place that columns are read from: the table's alias, and what has to be joined for it. */
interface Place {
  readonly alias: string
  readonly source: Source
  /** True where it is there in every row of the query, so that what a table never leaves unset is never null. */
  readonly isAlways: boolean
}

/** The columns of a DocType's table. */
function recordColumns(place: Place, { definition, columns }: DocTable): Named[] {
  const always = standardFields(definition)
    .filter(({ name }) => name !== 'id' && name !== 'docstatus' && name !== 'amended_from')
    .concat(standard('docstatus', 'int'))
  return [
    ...always.map((field): Named => [field.name, column(place, field, place.isAlways)]),
    ...fieldColumns(place, columns),
  ]
}

/** The columns of a table's rows, with those of their record that Frappe's rows have too. */
function rowColumns(
  place: Place,
  record: Place,
  plan: DocTable,
  { field, columns }: ChildTable,
): Named[] {
  const name = column(record, standard('name'), place.isAlways)
  return [
    ...recordColumns(record, { ...plan, columns: [] }).filter(([key]) => key !== 'name'),
    ['parent', name],
    ['parentfield', constant(place, 'parentfield', field)],
    ['parenttype', constant(place, 'parenttype', plan.definition.doctype)],
    ['row_id', column(place, standard('row_id'), place.isAlways)],
    ['idx', column(place, standard('idx', 'int'), place.isAlways)],
    ...fieldColumns(place, columns),
  ]
}

function fieldColumns(place: Place, columns: readonly FieldColumn[]): Named[] {
  return columns.filter(isQueried).map(({ name, field }) => [name, column(place, field, false)])
}

function column({ alias, source }: Place, field: Field, isNeverNull: boolean): QueryColumn {
  const { name, type } = field
  return {
    key: `${alias}.${name}`,
    sql: columnSql(alias, name),
    source,
    field,
    type: fieldType(type),
    isNeverNull,
  }
}

function constant({ source }: Place, name: string, value: string | number): QueryColumn {
  const field = standard(name, typeof value === 'number' ? 'int' : 'data')
  return {
    key: `${source.alias}.${name}`,
    sql: constantSql(value),
    source,
    field,
    type: fieldType(field.type),
    isNeverNull: true,
  }
}

function standard(name: string, type = 'data'): Field {
  return { ...ENGINE_FIELD, name, type, label: name }
}

import type { DocTypeDefinition } from '../../definition/model/definition.ts'
import { madeName } from '../../definition/model/made-name.ts'
import {
  type Fields,
  type KnownField,
  type Scope,
  withRecord,
} from '../../expression/tree/scope.ts'
import type { Environment } from '../../expression/tree/types.ts'
import type { Field, MadeRows } from '../../fields/field.ts'
import type { Value } from '../../fields/field-type.ts'
import { type Doc, type Row, rowsOf } from '../../storage/database/document.ts'
import type { CompileContext, RuleProblem } from '../base/compiled-rule.ts'
import type { RuleReads } from '../base/reads.ts'
import { rowFields } from '../base/scopes.ts'

/** What a source of rows goes through: names bound to a row each, and how they are found. */
export interface Loop {
  readonly scope: Scope
  /** Cells that the table follows from, beside those its expressions name. */
  readonly cells: readonly string[]
  /** The names of the rows, each with the prefix of the cells it stands for; undefined for rows of other records. */
  readonly names: ReadonlyMap<string, string | undefined>
  environments(doc: Doc, environment: Environment, reads: RuleReads): readonly Environment[]
}

/** Field of the record behind a link of a part, and the name it is bound by beside the part's own columns. */
interface Looked {
  readonly link: string
  readonly field: string
  readonly doctype: string
  readonly column: string
}

/** The loop of a source of rows; undefined for a mistake, which is reported. */
export function loopOf(
  context: CompileContext,
  { name }: Field,
  made: MadeRows,
  at: RuleProblem['path'],
): Loop | undefined {
  const { each, as, within } = made
  const { definition, problem, scopes } = context
  const own = scopes.of(definition)
  const source = definition.fields.find((field) => field.name === each)
  if (!source?.child || each === name) {
    problem([...at, 'each'], `expected another table of the record, got ${JSON.stringify(each)}`)
    return undefined
  }
  const rows: Loop = {
    scope: withRecord(own.document, as, rowFields(own, each)),
    cells: [each],
    names: new Map([[as, `${each}.`]]),
    environments: (doc, environment) => rowsOf(doc, each).map((row) => bound(environment, as, row)),
  }
  return within ? loopWithin(context, rows, source, made, [...at, 'within']) : rows
}

/** Goes on, in each row, through the rows of a table of the record that a link of the row names. */
function loopWithin(
  { registry, scopes, problem }: CompileContext,
  outer: Loop,
  source: Field,
  made: MadeRows,
  at: RuleProblem['path'],
): Loop | undefined {
  const { each, as } = made.within!
  const [linkName = '', table = ''] = each.split('.')
  const link = source.child!.fields.find((column) => column.name === linkName)
  const target =
    link?.link === undefined || link.linkTable !== undefined
      ? undefined
      : registry.byDoctype(link.link)
  const columns = target && columnsOf(target, table)
  if (!target || !columns) {
    const what = target
      ? `${target.doctype} has no table ${table}`
      : `${linkName} is no link of the row`
    problem(
      [...at, 'each'],
      `expected a link of the row, a dot and a table of the record behind it: ${what}`,
    )
    return undefined
  }
  const looked = lookedAt(made, columns)
  return {
    scope: withRecord(outer.scope, as, withLooked(rowFields(scopes.of(target), table), looked)),
    cells: [...outer.cells, `${source.name}.${linkName}`],
    names: new Map([...outer.names, [as, undefined]]),
    environments: (doc, environment, reads) =>
      outer.environments(doc, environment, reads).flatMap((here) => {
        const named = (here.records[made.as] as Row)[linkName]
        const record =
          typeof named === 'string' && named !== ''
            ? reads.get(target.doctype, named, table)
            : undefined
        if (!record) return []
        return rowsOf(record, table).map((part) => bound(here, as, seen(part, looked, reads)))
      }),
  }
}

const columnsOf = ({ fields }: DocTypeDefinition, table: string): readonly Field[] | undefined =>
  fields.find(({ name }) => name === table)?.child?.fields

/** What the expressions of a source read behind links of its parts: `p.item_code.is_stock_item`. */
function lookedAt(
  { within, if: condition = '', set }: MadeRows,
  columns: readonly Field[],
): Looked[] {
  const path = new RegExp(`(?<![\\w.])${within!.as}\\.(\\w+)\\.(\\w+)`, 'g')
  const looked = new Map<string, Looked>()
  for (const text of [condition, ...Object.values(set)]) {
    for (const [, link = '', field = ''] of text.matchAll(path)) {
      const column = columns.find(({ name }) => name === link)
      if (column?.link === undefined || column.linkTable !== undefined) continue
      const name = madeName(link, field)
      looked.set(name, { link, field, doctype: column.link, column: name })
    }
  }
  return [...looked.values()]
}

/** Fields of a part that can be looked behind as its links are now, and not as the other record keeps it. */
function withLooked(fields: Fields, looked: readonly Looked[]): Fields {
  const known = new Map<string, KnownField>(fields)
  for (const { link, field, column } of looked) {
    const own = known.get(link)
    const wanted = own?.behind?.target().get(field)
    if (!own?.behind || !wanted || wanted.kind === 'rows' || wanted.kind === 'json') continue
    const one = { ...wanted, name: column, told: `${link}.${field}`, behind: undefined }
    const kept = new Map(own.behind.kept).set(field, one)
    known.set(link, { ...own, behind: { ...own.behind, kept } })
  }
  return known
}

/** A part with what is behind its links; unset as long as it has not been read. */
function seen(part: Row, looked: readonly Looked[], reads: RuleReads): Row {
  if (looked.length === 0) return part
  const row: Row = { ...part }
  for (const { link, field, doctype, column } of looked) {
    const name = part[link]
    const record = typeof name === 'string' && name !== '' ? reads.get(doctype, name) : undefined
    row[column] = (record?.[field] ?? null) as Value
  }
  return row
}

function bound(environment: Environment, name: string, row: Row): Environment {
  return { ...environment, records: { ...environment.records, [name]: row } }
}

import type { Detail } from '../../engine/base/errors.ts'
import type { DocTypeDefinition } from '../../engine/definition/model/definition.ts'
import type { Registry } from '../../engine/definition/model/registry.ts'
import type { Field } from '../../engine/fields/field.ts'

/** Fields a client can change, by name; of a table, the columns in question (all when empty). */
export type Inputs = ReadonlyMap<string, ReadonlySet<string>>

/**
 * What a client has to change to get rid of these problems: the fields they name, those the broken rule
 * reads, and, where one of them is computed, what it is computed from. Where another record refuses
 * (`Customer CUST-1: …`, `posting to GL Entry: …`), what leads to it and what it is told.
 */
export function inputsOfProblems(
  registry: Registry,
  definition: DocTypeDefinition,
  problems: readonly Detail[],
): Inputs {
  const blame = createBlame(definition)
  for (const { field: path, message } of problems) {
    const ledger = elsewhere(registry, message, (label) => `posting to ${label}: `)
    const other = elsewhere(registry, message, (label) => `${label} `)
    if (ledger) blamePosting(blame, ledger, path)
    else if (other) blameOther(blame, definition, other)
    blame.path(path)
    for (const rule of definition.behaviour.validate ?? [])
      if (message.endsWith(rule.message)) {
        blame.words(`${rule.each ?? ''} ${rule.unique?.join(' ') ?? ''} ${rule.check ?? ''}`)
      }
  }
  return blame.inputs
}

interface Blame {
  readonly inputs: Inputs
  /** A field as errors name it: `items[2].qty`. */
  path(path: string): void
  /** Fields an expression names: those of its own row, of the document, and of the rows it goes over. */
  words(source: string): void
  /** Fields of the document and of its rows for which this holds. */
  where(matches: (field: Field) => boolean): void
}

function createBlame(definition: DocTypeDefinition): Blame {
  const inputs = new Map<string, Set<string>>()
  const seen = new Set<string>()

  function one(field: Field, table: Field | undefined): void {
    const path = table ? `${table.name}.${field.name}` : field.name
    if (seen.has(path)) return
    seen.add(path)
    const columns = inputs.get(table?.name ?? field.name) ?? new Set()
    if (table) columns.add(field.name)
    inputs.set(table?.name ?? field.name, columns)
    if (field.fetch) words(field.fetch.link, table)
    if (field.linkFrom !== undefined) words(field.linkFrom, table)
    if (field.formula !== undefined) words(field.formula, table)
    if (field.requiredWhen !== undefined) words(field.requiredWhen, table)
    if (field.lookup) words(`${field.lookup.match ?? ''} ${field.lookup.where ?? ''}`, table)
  }

  function words(source: string, table?: Field): void {
    const named = new Set(source.match(/[a-z_]\w*/gi) ?? [])
    for (const field of definition.fields) {
      if (named.has(field.name)) one(field, undefined)
      if (!field.child || !(named.has(field.name) || field === table)) continue
      for (const column of field.child.fields) if (named.has(column.name)) one(column, field)
    }
  }

  function path(text: string): void {
    const [name = '', column] = text.replace(/\[\d+\]/, '').split('.')
    const field = definition.fields.find((candidate) => candidate.name === name)
    const inRow = field?.child?.fields.find((candidate) => candidate.name === column)
    if (inRow) one(inRow, field)
    else if (field) one(field, undefined)
  }

  function where(matches: (field: Field) => boolean): void {
    for (const field of definition.fields) {
      if (matches(field)) one(field, undefined)
      for (const column of field.child?.fields ?? []) if (matches(column)) one(column, field)
    }
  }

  return { inputs, path, words, where }
}

/** The DocType a message speaks of, which begins as `beginning` says. */
function elsewhere(
  registry: Registry,
  message: string,
  beginning: (label: string) => string,
): DocTypeDefinition | undefined {
  const found = registry.all.filter(({ label }) => message.startsWith(beginning(label)))
  return found.sort((a, b) => b.label.length - a.label.length)[0]
}

/** A ledger row comes from fields of the same name, and its links from links to the same DocType. */
function blamePosting(blame: Blame, ledger: DocTypeDefinition, path: string): void {
  const field = ledger.fields.find(({ name }) => name === path)
  blame.where((own) => own.name === path || (field?.link !== undefined && own.link === field.link))
}

/** What links to a record, and what its rollups take from here. */
function blameOther(
  blame: Blame,
  { doctype }: DocTypeDefinition,
  { doctype: other, fields }: DocTypeDefinition,
): void {
  blame.where((own) => own.link === other || own.linkFrom !== undefined)
  for (const { rollup } of fields.flatMap((field) => [field, ...(field.child?.fields ?? [])])) {
    if (!rollup || (rollup.from !== doctype && !rollup.from.startsWith(`${doctype}.`))) continue
    blame.words(
      `${rollup.match} ${rollup.value ?? ''} ${rollup.where ?? ''} ${rollup.from.split('.')[1] ?? ''}`,
    )
  }
}

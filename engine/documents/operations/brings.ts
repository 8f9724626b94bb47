import { type Detail, validationError } from '../../base/errors.ts'
import {
  listRecordSets,
  type RecordSet,
  type RowsByTable,
  readRecordSet,
} from '../../definition/load/record-sets.ts'
import type { YamlMap } from '../../definition/yaml/source.ts'
import type { ChildDefinition } from '../../fields/field.ts'
import type { BringsPlan } from '../../rules/steps/brings.ts'
import type { DocumentInput } from '../../schema/shapes/validator.ts'
import { rowsOf, valueIn } from '../../storage/database/document.ts'
import { resultOfRule, type StepScope, settled } from '../effects/step-values.ts'
import { setValues } from '../effects/update-step.ts'
import { type SetNames, setNames } from '../record/named-records.ts'
import { docFromInput } from '../record/record-input.ts'
import type { DocTypeParts } from '../work/context.ts'
import type { Touched } from '../work/touched.ts'
import { lockRecord, nested, type Work } from '../work/work.ts'

/**
 * Makes the records that a new record brings along (`brings`), such as the accounts of a company, and sets the
 * fields of it that its caller has not, all in its own transaction. The files are read here and never at a
 * start. Throws VALIDATION_ERROR for a set that nobody has, and CONFLICT for a name that is taken.
 */
export async function bringRecords(work: Work, entry: Touched, sent: DocumentInput): Promise<void> {
  const plan = entry.parts.behaviour.brings
  if (!plan) return
  const scope: StepScope = { work, entry, records: {} }
  if (plan.if && (await settled(scope, () => resultOfRule(scope, plan.if!))) !== true) return
  const sets = chosenSets(scope, plan)
  const suffix = plan.suffix && (await settled(scope, () => resultOfRule(scope, plan.suffix!)))
  const names = setNames(work.context.services.registry)
  await nested(work, async () => {
    for (const set of sets)
      await makeSet(work, set, {
        names,
        suffix: String(suffix ?? ''),
        owner: [plan.owner, entry.name],
      })
  })
  await setFields(work, entry, sets, names, sent)
}

function chosenSets({ work, entry }: StepScope, { sets }: BringsPlan): readonly RecordSet[] {
  const { folders } = work.context.services
  return sets.flatMap(({ from, named, optional }) => {
    if (named === undefined) return listRecordSets(folders, from)
    const name = String(valueIn(entry.current!, named) ?? '')
    const set = name === '' ? undefined : readRecordSet(folders, from, name)
    if (set || optional === true) return set ?? []
    const known = listRecordSets(folders, from).map((one) => one.name)
    throw validationError([
      {
        field: named,
        message: `expected one of ${known.join(', ')}, got ${JSON.stringify(name)}`,
        code: 'not_an_option',
      },
    ])
  })
}

interface Making {
  readonly names: SetNames
  /** Suffix behind the names of records, which are unique in the workspace. */
  readonly suffix: string
  /** Field that says whose a record is, and the value it gets. */
  readonly owner: readonly [string | undefined, string]
}

async function makeSet(work: Work, set: RecordSet, making: Making): Promise<void> {
  const { registry } = work.context.services
  const { names, suffix } = making
  for (const [doctype, records] of Object.entries(set.records)) {
    const definition = registry.byDoctype(doctype)
    if (!definition || definition.isChild)
      throw validationError([
        { field: '', message: `${set.path}: there is no DocType ${doctype}`, code: 'rule' },
      ])
    const { idField } = definition
    for (const record of records) {
      const name = record[idField]
      if (typeof name === 'string') names.rename(doctype, name, `${name}${suffix}`)
    }
    const parts = work.context.services.partsOf(definition)
    for (const record of records)
      await makeRecord(work, parts, names.resolved(definition, record), making)
  }
  for (const [doctype, named] of Object.entries(set.rows)) {
    const definition = registry.byDoctype(doctype)
    if (!definition) continue
    const parts = work.context.services.partsOf(definition)
    for (const one of Object.entries(named).sort(([a], [b]) => (a < b ? -1 : 1)))
      await addRows(work, parts, one, making)
  }
  for (const [doctype, others] of Object.entries(set.also)) {
    for (const [name, is] of Object.entries(others)) names.rename(doctype, name, `${is}${suffix}`)
  }
}

/**
 * Gives records that are there the rows of a set, such as the accounts of a new company, where they have none of the
 * owner yet. Rows that name what this owner did not get are left out, and so are records that nobody has.
 */
async function addRows(
  work: Work,
  parts: DocTypeParts,
  [name, tables]: readonly [string, RowsByTable],
  making: Making,
): Promise<void> {
  const found = (await lockRecord(work, parts, name))?.current
  if (!found) return
  const { definition, store, validator } = parts
  const body: Record<string, unknown> = {}
  for (const [table, rows] of Object.entries(tables)) {
    const field = definition.fields.find((one) => one.name === table)
    if (!field?.child) continue
    const [owner = '', whose] = making.owner
    if (rowsOf(found, table).some((row) => row[owner] === whose)) continue
    const known = rows.filter((row) => areKnown(field.child!, row, making.names))
    const isOwned = field.child.fields.some((one) => one.name === owner)
    const owned = known.map((row) => (isOwned ? { [owner]: whose, ...row } : row))
    body[table] = making.names.valueFor(field, owned)
  }
  const made = docFromInput(store.empty(), definition, validator.read('engine', body))
  const more = new Map(Object.keys(body).map((table) => [table, rowsOf(made, table)]))
  await setValues(work, parts, found, new Map(), more)
}

/** Whether what a row links to has come along. */
function areKnown({ fields }: ChildDefinition, row: YamlMap, names: SetNames): boolean {
  return fields.every(({ name, link }) => {
    const value = row[name]
    return link === undefined || typeof value !== 'string' || names.knows(link, value)
  })
}

async function makeRecord(
  work: Work,
  parts: DocTypeParts,
  record: YamlMap,
  { owner: [field, whose] }: Making,
): Promise<void> {
  const isOwned = parts.definition.fields.some(({ name }) => name === field)
  const body = field !== undefined && isOwned ? { [field]: whose, ...record } : record
  const input = parts.validator.read('create', body)
  await work.apply(work, {
    parts,
    after: docFromInput(parts.store.empty(), parts.definition, input),
    kind: 'created',
    ...(input.name === undefined ? {} : { name: input.name }),
  })
}

/** Sets what the sets say of the record itself, where its caller said nothing. */
async function setFields(
  work: Work,
  { parts, current }: Touched,
  sets: readonly RecordSet[],
  names: SetNames,
  sent: DocumentInput,
): Promise<void> {
  const body: Record<string, unknown> = {}
  const unknown: Detail[] = []
  for (const set of sets) {
    for (const [name, value] of Object.entries(set.sets)) {
      const field = parts.definition.fields.find((one) => one.name === name)
      if (!field)
        unknown.push({
          field: name,
          message: `${set.path}: there is no such field`,
          code: 'unknown_field',
        })
      else if (!Object.hasOwn(sent.values, name)) body[name] = names.valueFor(field, value)
    }
  }
  if (unknown.length > 0) throw validationError(unknown)
  const { values } = parts.validator.read('engine', body)
  await setValues(work, parts, current!, new Map(Object.entries(values)))
}

import { hash } from 'node:crypto'
import type { Field } from '../../fields/field.ts'
import { fieldType } from '../../fields/index.ts'
import { isPublic } from '../../fields/public-fields.ts'
import type {
  ActionDeclaration,
  Behaviour,
  DocTypeDefinition,
  Naming,
} from '../model/definition.ts'
import { ledgerFields } from '../model/ledger-fields.ts'
import { NamingProblem, parseNaming } from '../model/naming-pattern.ts'
import { isMap, type RawDocType, type Report, type YamlMap } from '../yaml/source.ts'
import { compact } from './compact.ts'
import { withRights } from './field-rights.ts'
import { normaliseStatus } from './flow.ts'
import { inCurrency } from './in-currency.ts'
import { withOwnNames } from './looks-back.ts'
import { type FieldContext, normaliseFields } from './normalise-field.ts'
import { findsOf } from './normalise-finds.ts'
import { PART_ROWS, partRows } from './part-rows.ts'
import { kebab, pluralise, slugOf } from './slug.ts'
import { withStatusField } from './status-field.ts'

/** Number of columns of a list that nobody chose. */
const DEFAULT_COLUMNS = 6
/** Keys that only a DocType with an address of its own has. */
const NOT_FOR_ROWS = [
  'resource',
  'aliases',
  'submittable',
  'naming',
  'title',
  'search',
  'list',
  'status',
  'unique',
  'belongs_to',
  'tree',
  'proposed',
  'views',
  'next',
] as const

const NO_INPUT = 'is not for what callers send to an action; remove it'

export type NormaliseContext = Pick<
  FieldContext,
  'childFields' | 'childNames' | 'declared' | 'isDocType' | 'report'
>

/**
 * A DocType as written → its definition. What is derived from the one file is derived here: slug, table,
 * labels, title, columns of the list, the status field. Mistakes go to `report`; the result is then not for use.
 */
export function normaliseDocType(raw: RawDocType, context: NormaliseContext): DocTypeDefinition {
  const { data, doctype, files } = raw
  const { report } = context
  const isChild = data.child === true
  if (isChild) checkRowKeys(data, report)
  const naming = namingOf(data.naming, report)
  const label = (data.label as string | undefined) ?? doctype
  const slug = isChild ? '' : ((data.resource as string | undefined) ?? slugOf(doctype))
  const fields = fieldsOf(data, doctype, naming, isChild, context)
  const idField = naming.kind === 'field' ? naming.field : 'name'
  const titleField = (data.title as string | undefined) ?? idField
  const checksum = checksumOf(files)
  return compact<DocTypeDefinition>({
    doctype,
    slug,
    aliases: (data.aliases as string[] | undefined) ?? [],
    table: slug.replaceAll('-', '_'),
    label,
    labelPlural:
      (data.label_plural as string | undefined) ??
      (slug === kebab(doctype) ? label : pluralise(label)),
    description: data.description as string | undefined,
    module: String(data.module ?? ''),
    tier: String(data.tier ?? ''),
    submittable: data.submittable === true,
    isChild,
    naming,
    idField,
    titleField,
    searchFields: (data.search as string[] | undefined) ?? titleSearch(titleField, fields),
    listFields: columnsOf(data.list, fields),
    icon: data.icon as string | undefined,
    serves: data.serves as DocTypeDefinition['serves'],
    belongsTo: data.belongs_to as string | undefined,
    declares: declaredBy(data),
    dimension: isMap(data.dimension)
      ? ({ doctype, ...data.dimension } as DocTypeDefinition['dimension'])
      : undefined,
    tree: data.tree as string | undefined,
    proposed: data.proposed as string | undefined,
    fields,
    finds: findsOf(data.find, ['find'], report),
    behaviour: behaviourOf(data, doctype, context),
    checksum,
    filesChecksum: checksum,
    files: files.map(({ path }) => path),
  })
}

/** What a DocType declares; one that is a dimension declares that too. */
export function declaredBy({ declares, dimension }: YamlMap): string[] | undefined {
  const names = Array.isArray(declares) ? (declares as string[]) : undefined
  return isMap(dimension) ? [...(names ?? []), 'dimension'] : names
}

/** Checksum of the texts that a DocType is made of. */
export function checksumOf(files: readonly { readonly text: string }[]): string {
  return hash('sha256', files.map(({ text }) => text).join('\0')).slice(0, 32)
}

function checkRowKeys(data: YamlMap, report: Report): void {
  for (const key of NOT_FOR_ROWS) {
    if (data[key] !== undefined)
      report([key], `means nothing for rows of tables (child: true); remove ${key}`, 'key')
  }
}

function namingOf(naming: unknown, report: Report): Naming {
  try {
    return parseNaming(naming as string | undefined)
  } catch (error) {
    if (!(error instanceof NamingProblem)) throw error
    report(['naming'], `bad naming: ${error.message}`)
    return { kind: 'uuid' }
  }
}

function fieldsOf(
  data: YamlMap,
  doctype: string,
  naming: Naming,
  isChild: boolean,
  context: NormaliseContext,
): Field[] {
  const declared = isMap(data.fields) ? data.fields : {}
  const status = isChild ? undefined : normaliseStatus(data.status)
  const raw = status ? withStatusField(status, declared, data, context.report) : declared
  const written = normaliseFields(raw, ['fields'], { ...context, doctype, inRows: isChild })
  const fields = inCurrency(
    data.ledger === undefined
      ? written
      : [...written, ...ledgerFields(doctype, isMap(data.ledger) && 'looks_back' in data.ledger)],
  )
  // A record's name never changes, so the field it is made of cannot either.
  return withRights(fields, data, context.report).map((field) =>
    naming.kind === 'field' && field.name === naming.field && !field.readOnly
      ? { ...field, createOnly: true }
      : field,
  )
}

/** Search fields without `search:`: the title, where it is a text that can be searched. */
function titleSearch(title: string, fields: readonly Field[]): string[] {
  return fields.some(
    ({ name, type, internal, rights }) =>
      name === title && fieldType(type).searchable && isPublic({ internal }) && !rights?.read,
  )
    ? [title]
    : []
}

function columnsOf(list: unknown, fields: readonly Field[]): string[] {
  if (Array.isArray(list)) return [...new Set(list as string[])]
  return fields
    .filter(
      (field) =>
        isPublic(field) &&
        !field.hidden &&
        fieldType(field.type).inList &&
        !fieldType(field.type).secret,
    )
    .slice(0, DEFAULT_COLUMNS)
    .map(({ name }) => name)
}

function behaviourOf(data: YamlMap, doctype: string, context: NormaliseContext): Behaviour {
  const {
    unique,
    status,
    validate,
    effects,
    actions,
    events,
    permissions,
    invariants,
    ledger,
    views,
    upsert_from,
    made_by,
    brings,
    print,
  } = data
  return compact<Behaviour>({
    unique: unique as Behaviour['unique'],
    status: normaliseStatus(status),
    validate: validate as Behaviour['validate'],
    effects: effects as Behaviour['effects'],
    actions: nextFirst(
      isMap(actions) ? actionsOf(actions, doctype, context) : undefined,
      data.next as readonly string[] | undefined,
      context.report,
    ),
    events: events as Behaviour['events'],
    permissions: permissions as Behaviour['permissions'],
    invariants: invariants as Behaviour['invariants'],
    ledger: withOwnNames(ledger, data.fields) as Behaviour['ledger'],
    views: views as Behaviour['views'],
    upsertFrom: upsert_from as string | undefined,
    madeBy: made_by as Behaviour['madeBy'],
    brings: brings as Behaviour['brings'],
    print: print as Behaviour['print'],
  })
}

/** Actions with their input normalised: what callers send to one are fields like those of a DocType. */
function actionsOf(
  actions: YamlMap,
  doctype: string,
  context: NormaliseContext,
): Behaviour['actions'] {
  return Object.fromEntries(
    Object.entries(actions).map(([name, action]) => {
      const { input, ...rest } = action as YamlMap
      const path = ['actions', name, 'input']
      const ofRows = { ...context, doctype, inRows: true }
      const parts = rest.parts === undefined ? [] : partRows(path, ofRows)
      if (!isMap(input) && parts.length === 0) return [name, rest as ActionDeclaration]
      const fields = isMap(input) ? normaliseFields(input, path, ofRows) : []
      for (const field of fields) {
        if (!isPublic(field)) context.report([...path, field.name, 'internal'], NO_INPUT, 'key')
        if (parts.length > 0 && field.name === PART_ROWS)
          context.report(
            [...path, PART_ROWS],
            'is what callers send for `parts`; call it otherwise',
          )
      }
      return [name, { ...rest, input: [...fields, ...parts] } as ActionDeclaration]
    }),
  )
}

/** Actions in the order in which people are offered them: those of `next` before the others. */
function nextFirst(
  actions: Behaviour['actions'],
  next: readonly string[] = [],
  report: Report,
): Behaviour['actions'] {
  for (const [index, name] of next.entries())
    if (!actions?.[name]) report(['next', index], `there is no action ${JSON.stringify(name)}`)
  if (!actions || next.length === 0) return actions
  const first = next.flatMap((name) => (actions[name] ? [[name, actions[name]] as const] : []))
  return { ...Object.fromEntries(first), ...actions }
}

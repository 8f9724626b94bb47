import { suggest } from '../../../engine/base/suggest.ts'
import { writtenDocTypes } from '../../../engine/definition/load/load.ts'
import type { DocTypeDefinition } from '../../../engine/definition/model/definition.ts'
import type { Registry } from '../../../engine/definition/model/registry.ts'
import { movesOf } from '../../../engine/definition/normalise/flow.ts'
import type { ChildDefinition, Field } from '../../../engine/fields/field.ts'
import { loadChecked } from '../../../engine/index.ts'
import { Failure } from '../../failure.ts'
import { flatYaml } from '../../flat-yaml.ts'
import { printJson, printTable, writeText } from '../../terminal/output.ts'
import type { WorkspaceFlags } from '../../workspace.ts'
import { definitionSources, locateWorkspace } from '../../workspace.ts'

/** The flags of `svc doctype show`, as commander hands them over. */
export interface ShowFlags extends WorkspaceFlags {
  readonly json?: boolean
  readonly flat?: boolean
}

/** `svc doctype show NAME`: what a DocType is after all blocks and overlays. Throws Failure for an unknown one. */
export function showDocType(name: string, flags: ShowFlags): void {
  const sources = definitionSources(locateWorkspace(flags))
  const { registry } = loadChecked(sources)
  const definition = find(registry, name)
  const written = flags.flat && writtenDocTypes(sources.doctypes).get(definition.doctype)
  if (written) writeText(flatYaml(written, sources.doctypes), undefined)
  else if (flags.json) printJson(definition)
  else printDefinition(definition)
}

function find(registry: Registry, name: string): DocTypeDefinition {
  const found = registry.byDoctype(name) ?? registry.bySlug(name)
  if (found) return found
  const known = registry.all.flatMap(({ doctype, slug, aliases }) => [doctype, slug, ...aliases])
  const near = suggest(name, known)
  const hint = near === undefined ? '`svc doctype list` names all' : `did you mean ${near}?`
  throw new Failure(`there is no DocType ${JSON.stringify(name)}; ${hint}`)
}

function printDefinition(definition: DocTypeDefinition): void {
  const { naming } = definition
  const facts: readonly (readonly [string, string])[] = [
    ['resource', [definition.slug, ...definition.aliases].map((slug) => `/v1/${slug}`).join(', ')],
    ['module', definition.module],
    ['tier', definition.tier],
    [
      'naming',
      [
        naming.kind,
        'pattern' in naming ? naming.pattern : '',
        'field' in naming ? naming.field : '',
      ]
        .join(' ')
        .trim(),
    ],
    ['title', definition.titleField],
    ['search', definition.searchFields.join(', ')],
    ['submittable', definition.submittable ? 'yes' : 'no'],
    ...flowFacts(definition),
    ['files', definition.files.join(', ')],
  ]
  console.log(definition.doctype)
  if (definition.description !== undefined) console.log(definition.description)
  console.log()
  for (const [key, value] of facts) console.log(`${key.padEnd(12)} ${value}`)
  console.log()
  printTable(['FIELD', 'TYPE', 'OPTIONS', 'KEYS'], fieldRows(definition.fields, ''), 'no fields')
  const finds = findRows(definition, '')
  if (finds.length > 0) {
    console.log()
    printTable(['FIND', 'FROM', 'BY', 'AT'], finds, '')
  }
  const made = madeRows(definition.fields, '')
  if (made.length === 0) return
  console.log()
  printTable(['KEPT FOR EXPRESSIONS', 'COLUMN', 'AT', 'READ BY'], made, '')
}

/** Finds as rows; those of a table stand below it, as `items.bin`. */
function findRows(
  { fields, finds = [] }: Pick<ChildDefinition, 'fields' | 'finds'>,
  prefix: string,
): string[][] {
  return [
    ...finds.map(({ name, from, match, equals, where = '', at }) => {
      const pairs = Object.entries(equals ?? {}).map(([field, value]) => `${field}: ${value}`)
      const by = pairs.length > 0 ? pairs.join(', ') : [where].flat().join(' && ')
      return [prefix + name, from, match ?? by, at]
    }),
    ...fields.flatMap(({ name, child }) => (child ? findRows(child, `${prefix}${name}.`) : [])),
  ]
}

/** Columns that the loader has made, and which expressions read each. */
function madeRows(fields: readonly Field[], prefix: string): string[][] {
  return fields.flatMap(({ name, made, lookup, fetch, child }) => [
    ...(made
      ? [[prefix + made.path, name, lookup?.at ?? fetch?.at ?? 'draft', made.by.join(', ')]]
      : []),
    ...madeRows(child?.fields ?? [], `${prefix}${name}.`),
  ])
}

/** The moves of a chosen status, one line for each state. */
function flowFacts({ behaviour: { status } }: DocTypeDefinition): [string, string][] {
  if (!status?.flow) return []
  return [...Map.groupBy(movesOf(status), ({ from }) => from)].map(([from, moves], at) => {
    const targets = moves.map(({ to, roles }) => (roles ? `${to} (${roles.join(', ')})` : to))
    return [at === 0 ? 'flow' : '', `${from} -> ${targets.join(', ')}`]
  })
}

/** Fields as rows; those of a table stand below it, as `items.qty`. */
function fieldRows(fields: readonly Field[], prefix: string): string[][] {
  return fields
    .filter(({ made }) => !made)
    .flatMap((field) => [
      [`${prefix}${field.name}`, field.type, optionsOf(field), keysOf(field)],
      ...fieldRows(field.child?.fields ?? [], `${prefix}${field.name}.`),
    ])
}

function optionsOf({ options, link, linkTable, linkFrom, child }: Field): string {
  if (link !== undefined) return linkTable === undefined ? link : `${link}.${linkTable}`
  return options?.join(' | ') ?? linkFrom ?? child?.name ?? ''
}

function keysOf(field: Field): string {
  const flags = (
    ['internal', 'required', 'unique', 'filterable', 'createOnly', 'readOnly'] as const
  ).filter((key) => field[key] && !(key === 'readOnly' && field.internal))
  const values = field.default === undefined ? [] : [`default ${field.default}`]
  return [...flags, ...values, ...(field.formula ? [`= ${field.formula}`] : [])].join(', ')
}

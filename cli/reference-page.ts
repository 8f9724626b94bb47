import { metaSchemaJson } from '../engine/definition/grammar/meta-schema.ts'
import type { Vocabulary } from '../engine/definition/model/vocabulary.ts'
import type { JsonSchema } from '../engine/fields/field-type.ts'
import { fieldTypes } from '../engine/fields/index.ts'
import { TYPE_MEANINGS } from '../engine/fields/type-meanings.ts'
import { reportSchemaJson } from '../engine/reports/declare/report-schema.ts'

/** A schema with words of its own, under the words that lead to it. */
interface Section {
  readonly path: readonly string[]
  readonly schema: JsonSchema
}

/** Headings by the words of a map, so that the words of several places are told once. */
type Told = Map<string, string>

/** The reference of the language, made of the descriptions and examples of both schemas. */
export function referencePage(vocabulary: Vocabulary): string {
  const told: Told = new Map()
  const doctype = sectionsFrom('A DocType', metaSchemaJson(vocabulary), told)
  const report = sectionsFrom('A report', reportSchemaJson(vocabulary), told)
  return `${[INTRODUCTION, ...doctype, TYPES, typeTable(), ...report].join('\n\n')}\n`
}

const INTRODUCTION = `# Every word of the YAML

<!-- Made by \`npm run schema\` from the descriptions in engine/definition/*-schema.ts and engine/reports/declare/report-schema.ts. -->

A DocType is a map of the words of the first table; a word that takes a map has a table of its own below. The same texts stand in
[doctype.schema.json](../../doctypes/doctype.schema.json) and [report.schema.json](../../doctypes/report.schema.json), with which
editors complete and explain them. To begin with, read [a first DocType](../../doctypes/README.md); for what to do with the words,
[the cookbook](cookbook/README.md); what an expression may say is in [expressions](cookbook/expressions.md).`

const TYPES = `## Types of fields

An unset value is \`null\` in JSON.`

function typeTable(): string {
  const rows = [...fieldTypes.keys()].map((name) => {
    const [value = '', note = ''] = TYPE_MEANINGS[name] ?? []
    return `| \`${name}\` | ${value} | ${note} |`
  })
  return ['| type | value in JSON | notes |', '|---|---|---|', ...rows].join('\n')
}

function sectionsFrom(title: string, root: JsonSchema, told: Told): string[] {
  const definitions = (root.definitions ?? {}) as Readonly<Record<string, JsonSchema>>
  const resolve = (schema: JsonSchema): JsonSchema => {
    const name = /^#\/definitions\/(.+)$/.exec(String(schema.$ref))?.[1]
    return name === undefined ? schema : { ...definitions[name], ...schema }
  }
  const waiting: Section[] = [{ path: [], schema: root }]
  const texts: string[] = []
  for (let next = waiting.shift(); next; next = waiting.shift()) {
    const { path, schema } = next
    const heading = path.length === 0 ? title : path.join(' › ')
    // What only a whole file needs, not one that extends another, stands in `else`.
    const needed = requiredOf(schema)
    const rows = Object.entries(wordsOf(schema)).map(([word, given]) => {
      const meaning = resolve(given)
      const below = innerMap(meaning, resolve)
      const mark = needed.includes(word) ? '**Required.** ' : ''
      return `| \`${word}\` | ${takes(meaning)} | ${mark}${inCell(meaning.description)}${link(below, [...path, word])}${exampleOf(word, meaning)} |`
    })
    const level = path.length === 0 ? '##' : '###'
    const text = path.length === 0 ? '' : `${sentence(schema.description)}\n\n`
    texts.push(
      `${level} ${heading}\n\n${text}| word | takes | meaning |\n|---|---|---|\n${rows.join('\n')}`,
    )
  }
  return texts

  /** Link to where the words of a map are told; they are put down to be told when nobody has yet. */
  function link(below: JsonSchema | undefined, path: readonly string[]): string {
    if (!below) return ''
    const known = told.get(JSON.stringify(wordsOf(below)))
    if (known !== undefined) return ` [→](#${anchorOf(known)})`
    const short = path.length > 2 ? path.slice(-2) : path
    const heading = short.join(' › ')
    const unique = [...told.values()].includes(heading) ? [title, ...path] : short
    told.set(JSON.stringify(wordsOf(below)), unique.join(' › '))
    waiting.push({ path: unique, schema: below })
    return ` [→](#${anchorOf(unique.join(' › '))})`
  }
}

/** Words that have to be there: of a file that extends no other and uses no block. */
function requiredOf(schema: JsonSchema): readonly string[] {
  const more = schema.else as JsonSchema | undefined
  return [...((schema.required ?? []) as readonly string[]), ...(more ? requiredOf(more) : [])]
}

function wordsOf(schema: JsonSchema): Readonly<Record<string, JsonSchema>> {
  return (schema.properties ?? {}) as Readonly<Record<string, JsonSchema>>
}

/** The map with words of its own that a value is, or is made of: itself, its entries, or one of what it may be. */
function innerMap(
  schema: JsonSchema,
  resolve: (schema: JsonSchema) => JsonSchema,
): JsonSchema | undefined {
  if (schema.properties) return schema
  const inner = [schema.items, schema.additionalProperties, ...((schema.anyOf ?? []) as unknown[])]
  for (const part of inner) {
    if (typeof part !== 'object' || part === null) continue
    const found = innerMap(resolve(part as JsonSchema), resolve)
    if (found) return found
  }
  return undefined
}

const VALUES: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'number',
  integer: 'whole number',
  boolean: '`true` or `false`',
  array: 'list',
  object: 'map',
}

function takes(schema: JsonSchema): string {
  if (schema.$ref === '#/definitions/expression') return 'expression'
  if (schema.const !== undefined) return `\`${JSON.stringify(schema.const)}\``
  const values = schema.enum as readonly string[] | undefined
  if (values) return values.length > 20 ? 'a type' : values.map((one) => `\`${one}\``).join(' ')
  const types = [schema.type ?? []].flat() as string[]
  return types.map((type) => VALUES[type]).join(' or ')
}

function exampleOf(word: string, { examples }: JsonSchema): string {
  const [example] = (examples ?? []) as readonly unknown[]
  return example === undefined ? '' : `<br>\`${inCell(`${word}: ${flow(example)}`)}\``
}

/** A value as YAML writes it in one line. */
function flow(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(flow).join(', ')}]`
  if (typeof value === 'object' && value !== null)
    return `{${Object.entries(value)
      .map(([key, inner]) => `${key}: ${flow(inner)}`)
      .join(', ')}}`
  if (typeof value !== 'string') return String(value)
  if (!/[,:#?{}[\]"&|'`]|^[!*>-]|^(?:true|false|null)$/.test(value)) return value
  return value.includes('"') ? `'${value}'` : `"${value.replaceAll('\\', '\\\\')}"`
}

/** A table's cell ends at a bar, and begins a placeholder at `<`. */
function inCell(text: unknown): string {
  return String(text ?? '')
    .replaceAll('|', '\\|')
    .replaceAll(/<(?=[a-z])/g, '&lt;')
}

function sentence(description: unknown): string {
  return String(description ?? '').replaceAll(/<(?=[a-z])/g, '&lt;')
}

function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-')
}

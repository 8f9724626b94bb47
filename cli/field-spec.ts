import { suggest } from '../engine/base/suggest.ts'
import { fieldTypes } from '../engine/fields/index.ts'
import { UsageError } from './failure.ts'

/** A field as `--field` gives it: what stands behind its name in the YAML, keys in the order they are written. */
export interface FieldSpec {
  readonly name: string
  readonly type: string
  readonly keys: Readonly<Record<string, string | boolean | readonly string[]>>
}

const FLAGS: readonly string[] = ['required', 'filterable', 'createOnly']

const EXAMPLES: Readonly<Record<string, string>> = {
  values: 'state:select:New|Used',
  doctype: 'driver:link:Employee',
  field: 'party:dynamic_link:party_type',
  rows: 'trips:table:Trip',
}

/**
 * Reads `name:type[:options][,required][,filterable][,createOnly]`; values of a select are separated by `|`.
 * Throws UsageError that names the part which is wrong and what is possible.
 */
export function parseFieldSpec(text: string): FieldSpec {
  const [head = '', ...flags] = text.split(',').map((part) => part.trim())
  const [name = '', type = '', ...rest] = head.split(':')
  if (name === '' || type === '') {
    throw new UsageError(
      `--field ${text}: expected name:type[:options][,${FLAGS.join('][,')}], such as make:data,required`,
    )
  }
  const keys = { type, ...optionsOf(text, type, rest.join(':')) }
  for (const flag of flags) if (!FLAGS.includes(flag)) throw unknown(text, 'flag', flag, FLAGS)
  return { name, type, keys: { ...keys, ...Object.fromEntries(flags.map((flag) => [flag, true])) } }
}

function optionsOf(text: string, name: string, options: string): { options?: string | string[] } {
  const type = fieldTypes.get(name)
  if (!type) throw unknown(text, 'field type', name, [...fieldTypes.keys()])
  const { optionsMean } = type
  if (optionsMean === 'nothing') {
    if (options === '') return {}
    throw new UsageError(`--field ${text}: a field of type ${name} takes no options`)
  }
  if (options === '') {
    throw new UsageError(
      `--field ${text}: a field of type ${name} needs options, such as ${EXAMPLES[optionsMean]}`,
    )
  }
  return { options: optionsMean === 'values' ? options.split('|').map((o) => o.trim()) : options }
}

function unknown(text: string, what: string, got: string, known: readonly string[]): UsageError {
  const near = suggest(got, known)
  const hint = near === undefined ? `expected one of ${known.join(' ')}` : `did you mean ${near}?`
  return new UsageError(`--field ${text}: unknown ${what} ${JSON.stringify(got)}; ${hint}`)
}

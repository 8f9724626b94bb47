import { loadDefinitionTexts } from '../../../engine/definition/load/load.ts'
import type { Registry } from '../../../engine/definition/model/registry.ts'
import { fieldTypes } from '../../../engine/fields/index.ts'

export interface BigWorkspaceOptions {
  readonly resources: number
  readonly fields: number
  /** How many fields of a resource are filterable, at most. */
  readonly filterable: number
  /** How many actions each has, none unless told. */
  readonly actions?: number
}

const OPTIONS: Readonly<Record<string, string>> = {
  values: 'options: [Draft, Open, In Progress, Closed]',
  doctype: 'options: Thing Number 1',
  field: 'options: target_doctype',
}

/**
 * A workspace of generated DocTypes in ten modules: the fields go round all types, every second DocType is
 * submittable, every third has a table of ten fields, each has as many actions as asked. Descriptions are as long as
 * real ones.
 */
export function bigWorkspace(options: BigWorkspaceOptions): Registry {
  const files = Array.from({ length: options.resources }, (_, index) => ({
    path: `thing-${index + 1}.yaml`,
    text: docType(index + 1, options),
  }))
  return loadDefinitionTexts(files).registry
}

function docType(n: number, { fields, filterable, actions = 0 }: BigWorkspaceOptions): string {
  const types = [...fieldTypes.values()].filter(({ optionsMean }) => optionsMean !== 'rows')
  const lines: string[] = []
  let left = filterable
  const line = (index: number, mayFilter: boolean): string => {
    const type = types[index % types.length]!
    const flags = [`type: ${type.name}`]
    if (OPTIONS[type.optionsMean] !== undefined) flags.push(OPTIONS[type.optionsMean]!)
    if (index % 3 === 0) flags.push('description: What people should know about this field.')
    const isShort =
      Number(type.schema({ name: '', type: type.name } as never).maxLength ?? 0) <= 140
    if (mayFilter && left > 0 && isShort && type.operators.includes('eq')) {
      flags.push('filterable: true')
      left -= 1
    }
    return `some_${type.name}_${index}: {${flags.join(', ')}}`
  }
  for (let index = 0; index < fields; index += 1) lines.push(`  ${line(index, true)}`)
  lines.push('  target_doctype: {type: data}')
  if (n % 3 === 0) {
    lines.push('  things:', '    type: table', '    fields:')
    for (let index = 0; index < 10; index += 1) lines.push(`      ${line(index, false)}`)
    lines.push(`    options: Thing Row ${n}`)
  }
  return [
    `doctype: Thing Number ${n}`,
    `module: ${['crm', 'sales', 'billing', 'purchasing', 'stock', 'banking', 'accounts', 'hr', 'projects', 'support'][n % 10]}`,
    'tier: free',
    `description: One of many things of this workspace, the number ${n} of them.`,
    `submittable: ${n % 2 === 0}`,
    `naming: "THING-{YYYY}-{#####}"`,
    'fields:',
    ...lines,
    ...(actions === 0 ? [] : ['actions:']),
    ...Array.from({ length: actions }, (_, index) => action(index)),
  ].join('\n')
}

/** Every second action takes nothing and creates nothing. */
function action(index: number): string {
  const creates = index % 2 === 0
  const step = creates ? 'create: Thing Number 1' : 'set: {target_doctype: name}'
  const input = creates ? 'input: {day: {type: date, required: true}, note: {type: text}}, ' : ''
  return `  act_${index}: {description: What people should know about this action., when: target_doctype != "", ${input}steps: [{${step}}]}`
}

import { fieldTypes } from '../../fields/index.ts'
import type { StatusDeclaration } from '../model/definition.ts'
import type { Path } from '../yaml/parse.ts'
import { isMap, type Report, type YamlMap } from '../yaml/source.ts'
import { flowSentence } from './flow.ts'
import { reportLoneStates } from './lone-states.ts'

/** The field of the status as its states declare it; what `fields` says about it comes on top. */
export function withStatusField(
  status: StatusDeclaration,
  fields: YamlMap,
  { actions, submittable }: YamlMap,
  report: Report,
): YamlMap {
  const { field: name, initial, derive, flow, cancelled, moves } = status
  const states = statesOf(status, actions)
  if (initial !== undefined && flow && !Object.hasOwn(flow, initial)) {
    const known = Object.keys(flow).join(', ')
    report(
      ['status', 'initial'],
      `expected one of the states of flow (${known}), got ${JSON.stringify(initial)}`,
    )
  }
  if (cancelled !== undefined && !(flow && submittable === true))
    report(
      ['status', 'cancelled'],
      'is for a chosen status (flow) of a submittable DocType; remove it',
      'key',
    )
  if (moves !== undefined && !flow)
    report(['status', 'moves'], 'is for a chosen status (flow); remove it', 'key')
  const made: YamlMap = {
    type: 'select',
    options: states,
    filterable: true,
    ...(initial === undefined ? {} : { default: initial }),
    ...(derive === undefined ? {} : { readOnly: true }),
  }
  const written = fields[name]
  reportLoneStates(status, isMap(written) ? written.options : undefined, actions, report)
  const movers = flowSentence(status)
  if (!isMap(written)) {
    const described = movers === undefined ? made : { ...made, description: movers }
    return { ...fields, [name]: described }
  }
  if (!isStatusField(written, ['fields', name], states, report)) return fields
  const descriptions = [written.description, movers].filter((one) => one !== undefined)
  const field: YamlMap = {
    ...made,
    ...written,
    ...(descriptions.length === 0 ? {} : { description: descriptions.join(' ') }),
    readOnly: derive !== undefined || written.readOnly === true,
  }
  return { ...fields, [name]: field }
}

/** Whether the declared field of a status can hold its states; else reports. */
function isStatusField(
  written: YamlMap,
  path: Path,
  states: readonly string[],
  report: Report,
): boolean {
  const type = fieldTypes.get(String(written.type))
  if (!type) return false
  if (type.optionsMean !== 'values') {
    const message = `the field of the status holds one of its states; expected select, got ${type.name}`
    report([...path, 'type'], message)
    return false
  }
  if (written.internal === true) {
    report([...path, 'internal'], 'callers are told the status of a record; remove internal', 'key')
    return false
  }
  const { options } = written
  const missing = Array.isArray(options) ? states.filter((state) => !options.includes(state)) : []
  if (missing.length === 0) return true
  report(
    [...path, 'options'],
    `lacks the states ${missing.join(', ')} of the status; leave options out to have them all`,
  )
  return false
}

/** Every state a status can have, in the order they are written; an action may move it to further ones. */
function statesOf(
  { derive, flow, initial, cancelled, moves = {} }: StatusDeclaration,
  actions: unknown,
): string[] {
  const moved = isMap(actions)
    ? Object.values(actions).map((action) => (isMap(action) ? action.moves : undefined))
    : []
  const states = [
    ...Object.keys(derive ?? {}),
    ...(initial === undefined ? [] : [initial]),
    ...Object.entries(flow ?? {}).flatMap(([from, to]) => [from, ...to]),
    ...Object.keys(moves),
    ...(flow ? moved : []),
    cancelled,
  ]
  return [...new Set(states.filter((state) => typeof state === 'string'))]
}

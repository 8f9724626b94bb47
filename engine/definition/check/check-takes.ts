import { suggest } from '../../base/suggest.ts'
import type { Field } from '../../fields/field.ts'
import type { Path } from '../yaml/parse.ts'
import type { FieldsCheck } from './check-sources.ts'

/** Checks `takes` of a row link: an action over there that creates records of this DocType, and fields here. */
export function checkTakes(
  { takes, link, linkTable }: Field,
  path: Path,
  { scope, parent, doctype, world, report }: FieldsCheck,
): void {
  if (!takes) return
  const at = [...path, 'takes']
  if (link === undefined || linkTable === undefined || !parent) {
    report(at, 'is for links of a table to rows of another (Doctype.table); remove it', 'key')
    return
  }
  const actions = world.drafts.get(link)?.definition.behaviour.actions ?? {}
  const made = Object.entries(actions)
    .filter(([, { steps = [] }]) =>
      steps.some((step) => 'create' in step && step.create === doctype),
    )
    .map(([name]) => name)
  if (!made.includes(takes.action)) {
    const near = suggest(takes.action, made)
    const hint = near === undefined ? '' : `; did you mean ${near}?`
    report(
      [...at, 'action'],
      `${link} has no action ${takes.action} that creates a ${doctype}${hint}`,
    )
  }
  for (const [index, name] of takes.same.entries()) {
    const [, outer, own = ''] = /^(parent\.)?(.*)$/.exec(name) ?? []
    if (!(outer ? parent : scope).has(own))
      report([...at, 'same', index], `there is no field ${JSON.stringify(name)}`)
  }
}

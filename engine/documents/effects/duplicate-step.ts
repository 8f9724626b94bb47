import { validationError } from '../../base/errors.ts'
import type { DuplicatePlan } from '../../rules/steps/step-plans.ts'
import { valueIn } from '../../storage/database/document.ts'
import { copyOf, movedByDays } from '../record/copied-record.ts'
import { leftEmpty } from '../record/record-input.ts'
import { assertMay } from '../rights/door.ts'
import type { CreatedRecord } from './created-record.ts'
import { resultOfRule, type StepScope, settled } from './step-values.ts'

/**
 * Makes a draft like the record that a link of the document names, its dates moved. Throws VALIDATION_ERROR where the link
 * names none, FORBIDDEN for who may not create such records.
 */
export async function duplicateRecord(
  scope: StepScope,
  { link, days, as }: DuplicatePlan,
): Promise<CreatedRecord> {
  const { work, entry, records } = scope
  const { context, tx } = work
  const doc = entry.current!
  const doctype = link.link ?? String(valueIn(doc, link.linkFrom ?? '') ?? '')
  const definition = context.services.registry.byDoctype(doctype)
  const name = String(valueIn(doc, link.name) ?? '')
  const parts = definition && context.services.partsOf(definition)
  const source = parts && name !== '' ? await parts.store.find(tx, name) : undefined
  if (!parts || !source)
    throw validationError([
      { field: link.name, message: 'there is no such record to make another of', code: 'rule' },
    ])
  assertMay(context, parts.definition, 'create')
  await parts.store.loadRows(tx, [source])
  const moved = days ? Number(await settled(scope, () => resultOfRule(scope, days))) : 0
  const after = movedByDays(parts, copyOf(parts, source), moved)
  const empty = leftEmpty(parts.definition, after)
  const made = await work.apply(work, { parts, after, kind: 'created', empty })
  if (as !== undefined) records[as] = made.current!
  return { kind: 'created', as, parts, name: made.name }
}

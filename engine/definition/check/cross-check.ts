import type { Field } from '../../fields/field.ts'
import { isPublic } from '../../fields/public-fields.ts'
import { type FieldScope, internalName, scopeOf, unknownField } from '../model/named-fields.ts'
import { serviceProblems } from '../model/services.ts'
import type { Path } from '../yaml/parse.ts'
import { isMap, type Report } from '../yaml/source.ts'
import { checkAdds } from './check-adds.ts'
import { type CallCheck, checkCall, checkSharedCalls } from './check-call.ts'
import { checkFinds, checkToldFinds } from './check-finds.ts'
import { checkHandOver } from './check-hand-over.ts'
import { checkBehaviour, checkFieldLists, checkNaming, checkViews } from './check-names.ts'
import { checkPrint } from './check-print.ts'
import {
  checkAcyclic,
  checkDocType,
  checkFetch,
  checkLink,
  checkRenew,
  checkSources,
  type FieldsCheck,
} from './check-sources.ts'
import { checkTakes } from './check-takes.ts'
import { checkDeciding } from './deciding-fields.ts'
import { checkKept } from './kept-fields.ts'
import type { Draft, World } from './world.ts'

/** Checks what one DocType says about its own fields and about other DocTypes; mistakes go to `report`. */
export function checkReferences(draft: Draft, world: World, report: Report): void {
  const { raw, definition } = draft
  const written = isMap(raw.data.fields) ? raw.data.fields : {}
  const own = world.scopeOf(draft)
  checkNaming(definition, own, report)
  checkFieldLists(definition, own, report)
  checkBehaviour(definition, own, report)
  checkHandOver({ definition }, { scope: own, world, report })
  checkViews(definition, own, report)
  checkPrint({ raw, definition }, { scope: own, world, report })
  checkDeciding(definition, world, report)
  checkKept(definition, world, report)
  for (const message of serviceProblems(definition)) report(['serves'], message)
  checkFinds(definition.finds, { path: ['find'], scope: own, world, report })
  for (const field of definition.fields)
    checkToldFinds(field, ['fields', field.name], definition.finds, report)
  checkFields(definition.fields, {
    path: ['fields'],
    scope: own,
    inRows: definition.isChild,
    doctype: definition.doctype,
    world,
    report,
  })
  for (const { name, child } of definition.fields) {
    if (!child) continue
    const table = written[name]
    const inline = isMap(table) ? table.fields : undefined
    if (!isMap(inline)) checkSharedRows(name, child.fields, { parent: own, world, report })
    else {
      const rows = scopeOf(child.fields, inline)
      checkFinds(child.finds, { path: ['fields', name, 'find'], scope: rows, world, report })
      for (const field of child.fields)
        checkToldFinds(field, ['fields', name, 'fields', field.name], child.finds, report)
      checkFields(child.fields, {
        path: ['fields', name, 'fields'],
        scope: rows,
        parent: own,
        inRows: true,
        doctype: definition.doctype,
        world,
        report,
      })
    }
  }
  const { upsertFrom, madeBy = [] } = definition.behaviour
  if (upsertFrom !== undefined) checkDocType(upsertFrom, ['upsert_from'], world, report)
  for (const [index, name] of madeBy.entries())
    checkDocType(name, ['made_by', index], world, report)
  for (const [index, name] of (definition.behaviour.ledger?.keep_date ?? []).entries())
    checkDocType(name, ['ledger', 'keep_date', index], world, report)
  const { looks_back, contra } = definition.behaviour.ledger ?? {}
  for (const name of contra ? [contra.field, ...contra.names] : [])
    if (!definition.fields.some((field) => field.name === name))
      report(['ledger', 'contra'], `there is no field ${JSON.stringify(name)}`)
  if (looks_back && !world.vocabulary.hooks.has(looks_back.hook))
    report(
      ['ledger', 'looks_back', 'hook'],
      `there is no hook ${JSON.stringify(looks_back.hook)}; known: ${[...world.vocabulary.hooks.keys()].join(', ')}`,
    )
  for (const [index, name] of (definition.behaviour.ledger?.hold ?? []).entries()) {
    const field = definition.fields.find((candidate) => candidate.name === name)
    if (field?.link !== undefined && field.linkTable === undefined) continue
    report(['ledger', 'hold', index], `expected a link to a record, got ${JSON.stringify(name)}`)
  }
}

function checkFields(fields: readonly Field[], check: FieldsCheck): void {
  for (const field of fields) {
    const path = [...check.path, field.name]
    checkLink(field, path, check)
    checkAcyclic(field, path, check)
    checkTakes(field, path, check)
    checkAdds(field, path, check)
    checkRenew(field, path, check)
    checkFetch(field, path, check)
    if (
      field.defaultFrom !== undefined &&
      (field.link === undefined || field.linkTable !== undefined)
    )
      check.report([...path, 'default_from'], 'is for links to records; remove it', 'key')
    checkSources(field, path, check)
    if (field.call) checkCall(field, path, callCheck(check))
    const { currencyField, renamedFrom } = field
    const { scope, parent, inRows, report } = check
    if (
      currencyField !== undefined &&
      !scope.has(currencyField) &&
      !parent?.has(currencyField) &&
      (!inRows || parent)
    ) {
      report(
        [...path, 'currency'],
        unknownField(currencyField, new Map([...(parent ?? []), ...scope])),
      )
    }
    checkToldNames(field, path, check)
    if (renamedFrom !== undefined && scope.has(renamedFrom)) {
      report(
        [...path, 'renamed_from'],
        `there still is a field ${renamedFrom}; remove it or renamed_from`,
      )
    }
  }
}

/** Reports what a field tells its readers to look up in an internal field: its currency, what kind of record it names. */
function checkToldNames(field: Field, path: Path, { scope, parent, report }: FieldsCheck): void {
  if (!isPublic(field)) return
  const tell = (key: 'currency' | 'options', name: string | undefined): void => {
    const other = name === undefined ? undefined : (scope.get(name) ?? parent?.get(name))
    if (other && !isPublic(other)) report([...path, key], internalName(other.name, TOLD_USE[key]))
    if (other?.rights?.read && !field.rights?.read)
      report(
        [...path, key],
        `only some may read ${name} (permissions.fields), so it cannot ${TOLD_USE[key]}`,
      )
  }
  tell('currency', field.currencyField)
  tell('options', field.linkFrom)
  for (const name of field.visibleWhen?.match(/[a-z_]\w*/gi) ?? []) {
    const other = scope.get(name)
    if (other && !isPublic(other))
      report([...path, 'visible_when'], internalName(name, 'be asked by a form'))
  }
}

const TOLD_USE = {
  currency: 'be the currency of a field that callers see',
  options: 'name the DocType of a field that callers see',
} as const

function callCheck({ scope, parent, inRows, world, report }: FieldsCheck): CallCheck {
  return {
    hooks: world.vocabulary.hooks,
    scope,
    ...(parent ? { parent } : {}),
    inRows,
    report,
    fieldsOf(doctype, path) {
      const target = checkDocType(doctype, path, world, report)
      const written = target?.raw.data.fields
      return target && scopeOf(target.definition.fields, isMap(written) ? written : {})
    },
  }
}

/** Checks shared rows in a record that has them: it must have their currency and the tables they hand in. */
function checkSharedRows(
  table: string,
  fields: readonly Field[],
  {
    parent,
    world,
    report,
  }: { readonly parent: FieldScope; readonly world: World; readonly report: Report },
): void {
  const { hooks } = world.vocabulary
  const own = new Set(fields.map(({ name }) => name))
  checkSharedCalls(fields, { hooks, parent }, (message) =>
    report(['fields', table, 'options'], message),
  )
  for (const { name, currencyField } of fields) {
    if (currencyField === undefined || own.has(currencyField) || parent.has(currencyField)) continue
    report(
      ['fields', table, 'options'],
      `the rows' field ${name} has its currency in ${currencyField}, which this DocType lacks`,
    )
  }
}

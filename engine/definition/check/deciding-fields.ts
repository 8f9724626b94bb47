import type { Field } from '../../fields/field.ts'
import type { DocTypeDefinition } from '../model/definition.ts'
import type { Path } from '../yaml/parse.ts'
import { isMap, type Report } from '../yaml/source.ts'
import { withoutTexts } from './fields-read.ts'
import type { World } from './world.ts'

/**
 * Reports fields of other DocTypes on which it depends who may: what the conditions of `permissions.rows` and checks
 * that read `user` read through links, fetches and finds. Who may set such a field gives themselves rights by it, so it
 * says who that is (`permissions.fields: {user_id: {write: […]}}`), or nobody sets it. A record's own fields are asked
 * before and after a change; rollups and hooks are not followed.
 */
export function checkDeciding(definition: DocTypeDefinition, world: World, report: Report): void {
  for (const { path, text, table } of decisionsOf(definition)) {
    for (const { definition: of, field, isElsewhere } of world.reads.readBy(
      definition,
      text,
      table,
    )) {
      if (!isElsewhere || field.child || field.rights?.write || isNeverSet(field)) continue
      const place = `${of.doctype}.${field.name}`
      report(
        path,
        `${place} decides here who may, and everybody who may change ${of.labelPlural} sets it: say who may set it, "permissions: {fields: {${field.name}: {write: [Role]}}}" of ${of.doctype}`,
      )
    }
  }
}

/** Whether only the workspace fills a field: it is computed, or set by actions. */
function isNeverSet({ readOnly, internal }: Field): boolean {
  return readOnly || internal
}

/** Expression on which it depends who may: where it stands, and the table whose rows it is over. */
export interface Decision {
  readonly path: Path
  readonly text: string
  readonly table: Field | undefined
}

/** Decisions of a DocType: the conditions of `permissions.rows`, and checks that read `user`. */
export function decisionsOf({ behaviour, fields }: DocTypeDefinition): readonly Decision[] {
  const rows = Object.entries(behaviour.permissions?.rows ?? {}).flatMap(([role, limit]) => {
    const path = ['permissions', 'rows', role]
    if (typeof limit === 'string') return [{ path, text: limit, table: undefined }]
    if (!isMap(limit)) return []
    return Object.entries(limit).map(([key, text]) => ({
      path: [...path, key],
      text: String(text),
      table: undefined,
    }))
  })
  const checks = (behaviour.validate ?? []).flatMap(({ check, each }, index) =>
    check !== undefined && /\buser\s*\./.test(withoutTexts(String(check)))
      ? [
          {
            path: ['validate', index, 'check'],
            text: String(check),
            table: fields.find(({ name }) => name === each),
          },
        ]
      : [],
  )
  return [...rows, ...checks]
}

import type { DocTypeDefinition } from '../../engine/definition/model/definition.ts'
import type { EventSink } from '../../engine/documents/work/context.ts'
import type { Field } from '../../engine/fields/field.ts'
import { fieldType } from '../../engine/fields/index.ts'
import { attachLoose, type LooseFile } from '../../engine/storage/workspace/loose-files.ts'
import { removeStored } from './store.ts'

/** Paths of stored files begin so; the id of their record follows. */
const STORED_PATH = /^\/(?:private\/)?files\/([0-9a-f-]{36})\//

/** Widgets of the field types whose values are addresses of files. */
const FILE_WIDGETS: ReadonlySet<string> = new Set(['attach', 'attach-image'])

/**
 * Sink of events by which files follow their records, in the transaction of the change. A file that somebody uploaded
 * before the record was there belongs to it from the moment at which one of its fields, or of its rows, names it: by
 * the same person, and if it belongs to nothing yet. What a deleted file held is forgotten, and its content goes at night.
 */
export function attachedFiles(): EventSink {
  return async (tx, events, { registry, actor, log }) => {
    const files = registry.serving('files')
    if (!files) return
    const gone = events.filter(
      ({ resource, kind }) => resource === files.slug && kind === 'deleted',
    )
    await removeStored(
      tx,
      gone.map(({ record_id }) => record_id),
    )
    const named = new Map<string, LooseFile>()
    for (const { resource, kind, record_id, data, at } of events) {
      if (kind === 'deleted' || resource === files.slug || !data.includes('/files/')) continue
      const definition = registry.bySlug(resource)
      if (!definition) continue
      for (const { id, field } of filesNamed(definition, JSON.parse(data) as Values))
        named.set(id, { id, field, doctype: definition.doctype, name: record_id, at })
    }
    for (const file of named.values()) {
      const attached = await attachLoose(tx, files, file, actor.name)
      if (!attached) continue
      await log([
        {
          resource: files.slug,
          kind: 'attached',
          record_id: file.id,
          data: JSON.stringify({ id: file.id, name: file.id, ...attached }),
        },
      ])
    }
  }
}

type Values = Readonly<Record<string, unknown>>

interface NamedFile {
  readonly id: string
  readonly field: string
}

/** Stored files that a record names in its fields and those of its rows. */
function filesNamed({ fields }: DocTypeDefinition, record: Values): readonly NamedFile[] {
  return fields.flatMap((field) => {
    const { child, name } = field
    if (!child) return namedIn(field, record)
    const rows = record[name]
    if (!Array.isArray(rows)) return []
    return (rows as readonly Values[]).flatMap((row) =>
      child.fields.flatMap((column) => namedIn(column, row).map(({ id }) => ({ id, field: name }))),
    )
  })
}

function namedIn({ type, name }: Field, values: Values): readonly NamedFile[] {
  const value = values[name]
  if (typeof value !== 'string' || !FILE_WIDGETS.has(fieldType(type).widget)) return []
  const id = STORED_PATH.exec(value)?.[1]
  return id === undefined ? [] : [{ id, field: name }]
}

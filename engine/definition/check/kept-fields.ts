import type { DocTypeDefinition } from '../model/definition.ts'
import { isMap, type Report } from '../yaml/source.ts'
import type { ReadField } from './fields-read.ts'
import type { World } from './world.ts'

/** Reports what an event would tell everybody under a name of its own, and only some may read (`permissions.fields`). */
export function checkKept(definition: DocTypeDefinition, world: World, report: Report): void {
  for (const [name, event] of Object.entries(definition.behaviour.events ?? {})) {
    if (!isMap(event) || !isMap(event.data)) continue
    for (const [key, source] of Object.entries(event.data)) {
      const kept = world.reads.readBy(definition, String(source)).find(isKept)
      if (kept && key !== source)
        report(
          ['events', name, 'data', key],
          `tells ${placeOf(kept)}, which only some may read (permissions.fields); list the field itself: who may read it gets it`,
        )
    }
  }
}

function isKept({ field, table }: ReadField): boolean {
  return field.rights?.read !== undefined || table?.rights?.read !== undefined
}

function placeOf({ definition, table, field }: ReadField): string {
  return [definition.doctype, table?.name, field.name].filter((part) => part).join('.')
}

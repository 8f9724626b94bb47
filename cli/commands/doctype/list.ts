import type { DocTypeDefinition } from '../../../engine/definition/model/definition.ts'
import { loadChecked } from '../../../engine/index.ts'
import { printJson, printTable } from '../../terminal/output.ts'
import type { WorkspaceFlags } from '../../workspace.ts'
import { definitionSources, locateWorkspace } from '../../workspace.ts'

/** `svc doctype list`: one line for each resource, by module. */
export function listDocTypes(flags: WorkspaceFlags & { readonly json?: boolean }): void {
  const { registry } = loadChecked(definitionSources(locateWorkspace(flags)))
  if (flags.json) {
    printJson(registry.all.map(summary))
    return
  }
  const rows = registry.all
    .toSorted((a, b) => (a.module === b.module ? 0 : a.module < b.module ? -1 : 1))
    .map((definition) => [
      definition.doctype,
      [definition.slug, ...definition.aliases].join(', '),
      definition.module,
      definition.tier,
      String(definition.fields.length),
      definition.submittable ? 'yes' : '',
    ])
  const headings = ['DOCTYPE', 'RESOURCE', 'MODULE', 'TIER', 'FIELDS', 'SUBMITTABLE']
  printTable(headings, rows, 'no DocTypes')
}

function summary(definition: DocTypeDefinition): object {
  const { doctype, slug, aliases, module, tier, submittable, fields, files } = definition
  return { doctype, slug, aliases, module, tier, submittable, fields: fields.length, files }
}

import type { Command } from 'commander'
import { loadChecked } from '../../../engine/index.ts'
import { openReports } from '../../../engine/reports/compile/load.ts'
import { describeReports } from '../../../engine/reports/run/openapi.ts'
import { openApiDocument } from '../../../engine/schema/openapi/openapi.ts'
import { writeText } from '../../terminal/output.ts'
import {
  addWorkspaceOptions,
  definitionSources,
  locateWorkspace,
  type WorkspaceFlags,
} from '../../workspace.ts'

/** `svc openapi`: the description that GET /v1/openapi.json answers, of the loaded DocTypes. */
export function register(program: Command): void {
  addWorkspaceOptions(program.command('openapi'))
    .description('write the OpenAPI 3.1 description of /v1')
    .option('--out <file>', 'file to write; stdout without it')
    .action((flags: WorkspaceFlags & { readonly out?: string }) => {
      const sources = definitionSources(locateWorkspace(flags))
      const { registry } = loadChecked(sources)
      const more = describeReports(openReports(sources.doctypes, registry))
      writeText(JSON.stringify(openApiDocument(registry, { more }), null, 2), flags.out)
    })
}

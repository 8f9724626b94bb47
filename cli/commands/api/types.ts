import type { Command } from 'commander'
import { loadChecked } from '../../../engine/index.ts'
import { typescriptTypes } from '../../../engine/schema/types/typescript.ts'
import { writeText } from '../../terminal/output.ts'
import {
  addWorkspaceOptions,
  definitionSources,
  locateWorkspace,
  type WorkspaceFlags,
} from '../../workspace.ts'

/** `svc types`: TypeScript types of what /v1 takes and answers, for the loaded DocTypes. */
export function register(program: Command): void {
  addWorkspaceOptions(program.command('types'))
    .description('write TypeScript types of the loaded DocTypes')
    .option('--out <file>', 'file to write; stdout without it')
    .action(async (flags: WorkspaceFlags & { readonly out?: string }) => {
      const { registry } = loadChecked(definitionSources(locateWorkspace(flags)))
      writeText(await typescriptTypes(registry), flags.out)
    })
}

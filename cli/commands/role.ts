import type { Command } from 'commander'
import { listRoles } from '../roles.ts'
import { printJson, printTable } from '../terminal/output.ts'
import { addWorkspaceOptions, type WorkspaceFlags, withWorkspace } from '../workspace.ts'

/** `svc role …`: what people can be given. */
export function register(program: Command): void {
  const role = program.command('role').description('roles that people can be given')

  addWorkspaceOptions(role.command('list'))
    .description('list the roles there are, what each is for and how many people have it')
    .option('--json', 'print [{role, description, people}] as JSON')
    .action(list)
}

async function list(flags: WorkspaceFlags & { readonly json?: boolean }): Promise<void> {
  const roles = await withWorkspace(flags, listRoles)
  if (flags.json) {
    printJson(roles)
    return
  }
  printTable(
    ['ROLE', 'PEOPLE', 'WHAT FOR'],
    roles.map(({ role, people, description }) => [role, String(people), description ?? '']),
    'there are no roles; the next `svc serve` makes those of roles.yaml',
  )
}

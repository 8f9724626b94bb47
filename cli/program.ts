import { Command, CommanderError } from 'commander'
import { versionLine } from './package.ts'

/** A command is one file that exports this. */
interface CommandModule {
  register(program: Command): void
}

/** Every command and the file that holds it; only the one that is asked for is read. */
const COMMANDS: Readonly<Record<string, () => Promise<CommandModule>>> = {
  serve: () => import('./commands/serve.ts'),
  setup: () => import('./commands/setup.ts'),
  key: () => import('./commands/key.ts'),
  user: () => import('./commands/user.ts'),
  doctype: () => import('./commands/doctype.ts'),
  migrate: () => import('./commands/migrate.ts'),
  verify: () => import('./commands/verify.ts'),
  tick: () => import('./commands/tick.ts'),
  demo: () => import('./commands/demo.ts'),
  import: () => import('./commands/import.ts'),
  export: () => import('./commands/export.ts'),
  backup: () => import('./commands/backup.ts'),
  restore: () => import('./commands/restore.ts'),
  types: () => import('./commands/types.ts'),
  openapi: () => import('./commands/openapi.ts'),
  tier: () => import('./commands/tier.ts'),
  billing: () => import('./commands/billing.ts'),
  webhook: () => import('./commands/webhook.ts'),
  doctor: () => import('./commands/doctor.ts'),
  mcp: () => import('./commands/mcp.ts'),
}

/**
 * The program that can run these arguments (`process.argv` without its first two). When they name a command
 * only that one is registered, which makes a start cheap; else all are, for help and suggestions.
 */
export async function createProgram(args: readonly string[]): Promise<Command> {
  const program = new Command('svc')
    .description('The business workspace a company starts from one file and owns.')
    .option('-V, --version', 'print version and commit')
    .option('--debug', 'print the stack trace of an error')
    .helpOption('-h, --help', 'show help')
    .showSuggestionAfterError()
    .configureHelp({ showGlobalOptions: true })
    .configureOutput({ outputError: (text, write) => write(asOneLine(text)) })
    .exitOverride()
    .on('option:version', () => {
      console.log(versionLine())
      throw new CommanderError(0, 'commander.version', 'version')
    })
  const named = args.find((arg) => !arg.startsWith('-')) ?? ''
  const load = Object.hasOwn(COMMANDS, named) ? COMMANDS[named] : undefined
  for (const each of load ? [load] : Object.values(COMMANDS)) (await each()).register(program)
  return program
}

/** `error: unknown option '--prot'` and its suggestion on a second line become one line. */
function asOneLine(text: string): string {
  return `svc: ${text
    .trim()
    .replace(/^error: /, '')
    .replaceAll('\n', ' ')}\n`
}

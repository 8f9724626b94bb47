import { Command, CommanderError } from 'commander'
import { completeHelp } from './help.ts'
import { versionLine } from './package.ts'

/** A command is one file that exports this. */
interface CommandModule {
  register(program: Command): void
}

/** Headings on the top page of the help, each over the commands that belong together. */
const GROUPS = {
  run: 'Run and look after a workspace:',
  people: 'Who may do what:',
  yaml: 'Definitions, and what follows from them:',
  data: 'Bring data in and out:',
  plan: 'The plan:',
  programs: 'Programs beside it:',
  own: 'This command line:',
} as const

interface CommandFile {
  readonly group: keyof typeof GROUPS
  readonly load: () => Promise<CommandModule>
}

/** Every command and the file that holds it; only the one that is asked for is read. */
const COMMANDS: Readonly<Record<string, CommandFile>> = {
  serve: { group: 'run', load: () => import('./commands/serve.ts') },
  setup: { group: 'run', load: () => import('./commands/setup.ts') },
  key: { group: 'people', load: () => import('./commands/key.ts') },
  user: { group: 'people', load: () => import('./commands/user.ts') },
  role: { group: 'people', load: () => import('./commands/role.ts') },
  access: { group: 'people', load: () => import('./commands/access.ts') },
  doctype: { group: 'yaml', load: () => import('./commands/doctype.ts') },
  migrate: { group: 'run', load: () => import('./commands/migrate.ts') },
  verify: { group: 'run', load: () => import('./commands/verify.ts') },
  explain: { group: 'data', load: () => import('./commands/explain.ts') },
  tick: { group: 'run', load: () => import('./commands/tick.ts') },
  demo: { group: 'data', load: () => import('./commands/demo.ts') },
  import: { group: 'data', load: () => import('./commands/import.ts') },
  export: { group: 'data', load: () => import('./commands/export.ts') },
  backup: { group: 'data', load: () => import('./commands/backup.ts') },
  restore: { group: 'data', load: () => import('./commands/restore.ts') },
  types: { group: 'yaml', load: () => import('./commands/api/types.ts') },
  openapi: { group: 'yaml', load: () => import('./commands/api/openapi.ts') },
  client: { group: 'yaml', load: () => import('./commands/api/client.ts') },
  tier: { group: 'plan', load: () => import('./commands/tier.ts') },
  billing: { group: 'plan', load: () => import('./commands/billing.ts') },
  webhook: { group: 'programs', load: () => import('./commands/webhook.ts') },
  mail: { group: 'run', load: () => import('./commands/mail/returned.ts') },
  doctor: { group: 'run', load: () => import('./commands/doctor.ts') },
  chaos: { group: 'run', load: () => import('./commands/chaos.ts') },
  mcp: { group: 'programs', load: () => import('./commands/mcp.ts') },
  completion: { group: 'own', load: () => import('./commands/completion.ts') },
}

/** Commands that know of all others. */
const OF_ALL: readonly string[] = ['help', 'completion']

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
  const isAlone = Object.hasOwn(COMMANDS, named) && !OF_ALL.includes(named)
  for (const [name, { group, load }] of Object.entries(COMMANDS)) {
    if (isAlone && name !== named) continue
    const { register } = await load()
    register(program)
    program.commands.at(-1)?.helpGroup(GROUPS[group])
  }
  completeHelp(program)
  return program
}

/** `error: unknown option '--prot'` and its suggestion on a second line become one line. */
function asOneLine(text: string): string {
  return `svc: ${text
    .trim()
    .replace(/^error: /, '')
    .replaceAll('\n', ' ')}\n`
}

import { Command } from 'commander'
import { suggest } from '../engine/base/suggest.ts'
import { EXAMPLES } from './examples.ts'
import { UsageError } from './failure.ts'

/** Adds to the help of each command its examples and where its page is. */
export function completeHelp(program: Command): void {
  program.addHelpCommand(
    new Command('help')
      .argument('[command...]')
      .description('show the help of a command')
      .helpGroup('This command line:'),
  )
  program.addHelpText(
    'after',
    '\nEach command has examples: svc COMMAND --help\nDocumentation: docs/cli.md',
  )
  for (const [words, command] of commandsBelow(program)) {
    const examples = EXAMPLES[words.join(' ')] ?? []
    const page = `Documentation: docs/cli.md#svc-${words.join('-')}`
    command.addHelpText(
      'after',
      examples.length === 0
        ? `\n${page}`
        : `\nExamples:\n${examples.map((line) => `  $ ${line}\n`).join('')}\n${page}`,
    )
  }
}

/** Every command below this one with its words, `key create` after `key`. */
export function commandsBelow(
  command: Command,
  words: readonly string[] = [],
): readonly (readonly [words: readonly string[], command: Command])[] {
  return command.commands.flatMap((child) => {
    const path = [...words, child.name()]
    return [[path, child] as const, ...commandsBelow(child, path)]
  })
}

/**
 * The arguments with a question for help as `key create --help`, however it was put: `help key create` too. Throws
 * UsageError for help about a command there is not; commander would show that of another one.
 */
export function withHelp(program: Command, args: readonly string[]): readonly string[] {
  const given = args.includes('--') ? args.slice(0, args.indexOf('--')) : args
  const words = given.filter((arg) => !arg.startsWith('-'))
  const isHelpCommand = words[0] === 'help'
  if (!isHelpCommand && !given.includes('--help') && !given.includes('-h')) return args
  const path = pathOf(
    program,
    words.filter((word) => word !== 'help'),
  )
  return isHelpCommand ? [...path, '--help'] : args
}

/** The words that lead to a command; what follows are its arguments. */
function pathOf(program: Command, words: readonly string[]): readonly string[] {
  const path: string[] = []
  let at = program
  for (const word of words) {
    if (at.commands.length === 0) break
    const child = at.commands.find((command) => command.name() === word)
    if (!child) throw unknownCommand(at, word)
    path.push(word)
    at = child
  }
  return path
}

function unknownCommand(command: Command, word: string): UsageError {
  const names = command.commands.map((child) => child.name())
  const near = suggest(word, names)
  const hint = near === undefined ? `there are ${names.join(', ')}` : `Did you mean ${near}?`
  return new UsageError(`unknown command '${word}' (${hint})`)
}

import type { Command } from 'commander'
import { commandsBelow } from '../help.ts'

/** Words that may follow some others on the command line. */
export interface Following {
  /** Words of the command; none for the program itself. */
  readonly words: readonly string[]
  readonly description: string
  /** Commands below it, and the values that an argument of it may have. */
  readonly commands: readonly Word[]
  readonly options: readonly OptionWords[]
}

interface Word {
  readonly word: string
  readonly description: string
}

interface OptionWords extends Word {
  readonly short: string | undefined
  /** Whether a value follows it. */
  readonly takesValue: boolean
  /** The values there are; of any other option a file may be one. */
  readonly choices: readonly string[]
}

/** Words that may follow the program and each of its commands, from the tree that also parses them. */
export function followingWords(program: Command): readonly Following[] {
  return [[[], program] as const, ...commandsBelow(program)].map(([words, command]) => ({
    words,
    description: command.description(),
    commands: [
      ...command.commands.map((child) => ({
        word: child.name(),
        description: child.description(),
      })),
      ...command.registeredArguments.flatMap(({ argChoices, description }) =>
        (argChoices ?? []).map((word) => ({ word, description })),
      ),
    ],
    options: [...optionsOf(command), ...(words.length > 0 ? optionsOf(program) : []), HELP].filter(
      ({ word }) => words.length === 0 || word !== '--version',
    ),
  }))
}

const HELP: OptionWords = {
  word: '--help',
  description: 'show help',
  short: '-h',
  takesValue: false,
  choices: [],
}

function optionsOf({ options }: Command): readonly OptionWords[] {
  return options.flatMap(({ long, short, description, required, optional, argChoices }) =>
    long == null
      ? []
      : [
          {
            word: long,
            description,
            short: short ?? undefined,
            takesValue: required || optional,
            choices: argChoices ?? [],
          },
        ],
  )
}

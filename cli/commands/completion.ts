import { Argument, type Command } from 'commander'
import { bashScript } from '../completion/bash.ts'
import { fishScript } from '../completion/fish.ts'
import { type Following, followingWords } from '../completion/words.ts'
import { zshScript } from '../completion/zsh.ts'

const SCRIPTS: Readonly<Record<string, (all: readonly Following[]) => string>> = {
  bash: bashScript,
  zsh: zshScript,
  fish: fishScript,
}

/** `svc completion`: what a shell needs to complete commands and options. */
export function register(program: Command): void {
  program
    .command('completion')
    .addArgument(new Argument('<shell>', 'the shell it is for').choices(Object.keys(SCRIPTS)))
    .description('print a script with which a shell completes commands and options')
    .action((shell: string) => {
      process.stdout.write(SCRIPTS[shell]?.(followingWords(program)) ?? '')
    })
}

import type { Following } from './words.ts'

/** A script that bash reads; it asks no svc, and so costs a key press nothing. */
export function bashScript(all: readonly Following[]): string {
  return `# bash completion of svc, made by \`svc completion bash\`
_svc() {
  local current="\${COMP_WORDS[COMP_CWORD]}" before="\${COMP_WORDS[COMP_CWORD-1]}" path="" word
  local -i at
  for ((at = 1; at < COMP_CWORD; at++)); do
    word="\${COMP_WORDS[at]}"
    case "$path/$word" in
${all
  .filter(({ words }) => words.length > 0)
  .map(({ words }) => `      ${pathOf(words)}) path="${pathOf(words)}" ;;`)
  .join('\n')}
    esac
  done
  COMPREPLY=()
  case "$path $before" in
${all.flatMap(valueCases).join('\n')}
  esac
  case "$path" in
${all.map(wordCase).join('\n')}
  esac
}
complete -o default -F _svc svc
`
}

function pathOf(words: readonly string[]): string {
  return words.map((word) => `/${word}`).join('')
}

/** Behind an option with a value: its choices, else a file (which \`-o default\` brings). */
function valueCases({ words, options }: Following): string[] {
  return options
    .filter(({ takesValue }) => takesValue)
    .map(({ word, choices }) => {
      const reply =
        choices.length === 0
          ? ''
          : ` COMPREPLY=($(compgen -W "${choices.join(' ')}" -- "$current"));`
      return `    "${pathOf(words)} ${word}")${reply} return ;;`
    })
}

function wordCase({ words, commands, options }: Following): string {
  const names = commands.map(({ word }) => word).join(' ')
  const flags = options.map(({ word }) => word).join(' ')
  return `    "${pathOf(words)}")
      if [[ "$current" == -* ]]; then COMPREPLY=($(compgen -W "${flags}" -- "$current"))
      else COMPREPLY=($(compgen -W "${names}" -- "$current")); fi ;;`
}

import type { Following } from './words.ts'

/** A script for a folder of zsh's \`fpath\`, as a file \`_svc\`. */
export function zshScript(all: readonly Following[]): string {
  return `#compdef svc
# zsh completion of svc, made by \`svc completion zsh\`
_svc() {
  local current="\${words[CURRENT]}" before="\${words[CURRENT-1]}" place="" word
  local -a found
  for word in "\${(@)words[2,CURRENT-1]}"; do
    case "$place/$word" in
${all
  .filter(({ words }) => words.length > 0)
  .map(({ words }) => `      ${pathOf(words)}) place='${pathOf(words)}' ;;`)
  .join('\n')}
    esac
  done
  case "$place $before" in
${all.flatMap(valueCases).join('\n')}
  esac
  case "$place" in
${all.map(wordCase).join('\n')}
  esac
  (( \${#found} )) && _describe -t svc svc found || _files
}
if [[ "$funcstack[1]" == _svc ]]; then _svc "$@"; else compdef _svc svc; fi
`
}

function pathOf(words: readonly string[]): string {
  return words.map((word) => `/${word}`).join('')
}

function valueCases({ words, options }: Following): string[] {
  return options
    .filter(({ takesValue }) => takesValue)
    .map(({ word, choices }) => {
      const reply = choices.length === 0 ? '_files' : `compadd -- ${choices.map(quoted).join(' ')}`
      return `    ${quoted(`${pathOf(words)} ${word}`)}) ${reply}; return ;;`
    })
}

function wordCase({ words, commands, options }: Following): string {
  const list = (of: readonly { readonly word: string; readonly description: string }[]): string =>
    of
      .map(({ word, description }) => quoted(`${word}:${description.replaceAll(':', ' ')}`))
      .join(' ')
  return `    ${quoted(pathOf(words))})
      if [[ "$current" == -* ]]; then found=(${list(options)})
      else found=(${list(commands)}); fi ;;`
}

/** A text as one word of zsh. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}

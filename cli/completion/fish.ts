import type { Following } from './words.ts'

/** A script for fish's folder of completions. */
export function fishScript(all: readonly Following[]): string {
  return `# fish completion of svc, made by \`svc completion fish\`
function __svc_path
    set -l path ''
    for word in (commandline -opc)[2..-1]
        switch "$path/$word"
${all
  .filter(({ words }) => words.length > 0)
  .map(
    ({ words }) =>
      `            case ${quoted(pathOf(words))}\n                set path "$path/$word"`,
  )
  .join('\n')}
        end
    end
    echo $path
end
function __svc_at
    test (__svc_path) = "$argv[1]"
end
${all.flatMap(linesOf).join('\n')}
`
}

function pathOf(words: readonly string[]): string {
  return words.map((word) => `/${word}`).join('')
}

function linesOf({ words, commands, options }: Following): string[] {
  const here = `complete -c svc -n ${quoted(`__svc_at ${quoted(pathOf(words))}`)}`
  return [
    ...commands.map(
      ({ word, description }) => `${here} -f -a ${quoted(word)} -d ${quoted(description)}`,
    ),
    ...options.map(({ word, short, description, takesValue, choices }) =>
      [
        `${here} -l ${word.slice(2)}`,
        ...(short === undefined ? [] : [`-s ${short.slice(1)}`]),
        ...(takesValue ? ['-r'] : []),
        ...(choices.length > 0 ? [`-f -a ${quoted(choices.join(' '))}`] : []),
        `-d ${quoted(description)}`,
      ].join(' '),
    ),
  ]
}

/** A text as one word of fish. */
function quoted(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
}

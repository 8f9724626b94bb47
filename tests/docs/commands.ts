import { blocksOf, pageText } from './page.ts'

/** A command that a page names: its words as a shell reads them. */
export interface Named {
  readonly page: string
  readonly text: string
  readonly words: readonly string[]
}

const BEGINS = /^(?:npm|npx|svc|node|\.ci\/run)\b/

/** What a command prints, shown as it stands. */
const IS_OUTPUT = /^svc listening on /

/** The commands of a page: lines of its blocks and what stands in backticks. */
export function commandsOf(page: string): Named[] {
  const blocks = ['', 'sh', 'bash'].flatMap((language) => blocksOf(page, language))
  const lines = blocks.flatMap((block) => block.replaceAll('\\\n', ' ').split('\n'))
  const prose = pageText(page).replaceAll(/^```[\s\S]*?^```$/gm, '')
  const spans = [...prose.matchAll(/`([^`\n]+)`/g)].map(([, span]) => span ?? '')
  return [...lines, ...spans]
    .flatMap((line) => line.split(' && '))
    .map((line) => line.replace(/\s+#\s.*$/, '').trim())
    .filter((line) => BEGINS.test(line) && !IS_OUTPUT.test(line))
    .map((line) => ({ page, text: line, words: wordsOf(line) }))
}

/** Words up to where the shell pipes or redirects; quotes are taken off. */
function wordsOf(line: string): string[] {
  const [command = ''] = line.split(/\s[>|&]/)
  return [...command.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(
    ([, double, single, plain]) => double ?? single ?? plain ?? '',
  )
}

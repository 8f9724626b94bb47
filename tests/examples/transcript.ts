/** A command of a transcript, and what it printed. */
export interface Spoken {
  readonly command: string
  /** Lines of its output; `…` in one stands for whatever differs from run to run. */
  readonly output: string
}

/**
 * The commands of blocks that show a terminal: what stands behind `$ `, up to the end of a here-document that it begins, and
 * the lines below it.
 */
export function transcriptOf(blocks: readonly string[]): readonly Spoken[] {
  const spoken: { command: string; output: string[] }[] = []
  let end: string | undefined
  for (const line of blocks.join('').trimEnd().split('\n')) {
    const last = spoken.at(-1)
    if (last && end !== undefined) {
      last.command += `\n${line}`
      if (line === end) end = undefined
    } else if (line.startsWith('$ ')) {
      const command = line.slice(2)
      end = /<<'(\w+)'/.exec(command)?.[1]
      spoken.push({ command, output: [] })
    } else last?.output.push(line)
  }
  return spoken.map(({ command, output }) => ({ command, output: output.join('\n') }))
}

/** Whether a text is what a transcript shows. */
export function isShown(shown: string, text: string): boolean {
  const parts = shown.split('…').map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  return new RegExp(`^${parts.join('.*')}$`).test(text)
}

/** What a process of several test files writes on stdout and stderr between two of them. */
export const END_OF_FILE = '\u001e end of a test file \u001e\n'

/** What a process printed, cut into the parts of its test files. */
export interface Parts {
  /** Takes what one of the streams has printed. */
  add(stream: 'stdout' | 'stderr', text: string): void
  /** What was printed since the last part that ended. */
  last(): string
}

/** Calls `onEnd` with the text of each part, in the order in which it came, once it has ended on both streams. */
export function partsOfOutput(onEnd: (text: string) => void): Parts {
  const parts: string[] = ['']
  const at = { stdout: 0, stderr: 0 }
  /** The beginning of what may be a mark. */
  const held = { stdout: '', stderr: '' }
  let ended = 0

  return {
    add(stream, text) {
      const pieces = (held[stream] + text).split(END_OF_FILE)
      pieces.forEach((piece, index) => {
        if (index > 0) at[stream] += 1
        const kept = index < pieces.length - 1 ? 0 : startOfMark(piece)
        held[stream] = piece.slice(piece.length - kept)
        parts[at[stream]] = (parts[at[stream]] ?? '') + piece.slice(0, piece.length - kept)
      })
      for (; ended < Math.min(at.stdout, at.stderr); ended += 1) onEnd(parts[ended] ?? '')
    },
    last: () => parts.slice(ended).join('') + held.stdout + held.stderr,
  }
}

/** How many characters at the end of a text could go on as a mark. */
function startOfMark(text: string): number {
  for (let length = Math.min(text.length, END_OF_FILE.length - 1); length > 0; length -= 1)
    if (END_OF_FILE.startsWith(text.slice(text.length - length))) return length
  return 0
}

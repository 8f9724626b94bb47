/** A line on the terminal that says how far a long command is. */
export interface Progress {
  /** Done so far, of `total` where that is known, in the unit the bar was made for. */
  show(done: number, total: number | undefined, note?: string): void
  /** Takes the line away, before other lines are printed and at the end. */
  clear(): void
}

export interface ProgressOptions {
  readonly label: string
  /** Stream it is drawn on, if that is a terminal; stderr by default. */
  readonly stream?: NodeJS.WriteStream
  /** Ms between two drawings. */
  readonly every?: number
}

const BAR = 24

/** Progress of a command on the terminal of stderr; on anything else than a terminal nothing is drawn. */
export function startProgress({
  label,
  stream = process.stderr,
  every = 100,
}: ProgressOptions): Progress {
  let drawnAt = 0
  let isDrawn = false
  return {
    show(done, total, note = '') {
      const now = Date.now()
      if (!stream.isTTY || now - drawnAt < every) return
      drawnAt = now
      isDrawn = true
      const line = progressLine(label, done, total, note)
      stream.write(`\r${line.slice(0, Math.max(0, (stream.columns || 80) - 1))}\u001b[K`)
    },
    clear() {
      if (isDrawn) stream.write('\r\u001b[K')
      isDrawn = false
    },
  }
}

/** The line: a bar and percent where the whole is known, else what has been done. */
export function progressLine(
  label: string,
  done: number,
  total: number | undefined,
  note: string,
): string {
  const tail = note === '' ? '' : `  ${note}`
  if (total === undefined || total <= 0) return `${label} ${done}${tail}`
  const share = Math.min(1, done / total)
  const full = Math.round(share * BAR)
  const bar = '█'.repeat(full) + '░'.repeat(BAR - full)
  return `${label} ${bar} ${String(Math.floor(share * 100)).padStart(3)} %${tail}`
}

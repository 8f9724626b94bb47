/** A line of a text that was changed: as it was, gone (`-`) or new (`+`). */
export interface DiffLine {
  readonly sign: ' ' | '+' | '-'
  readonly text: string
}

/** Lines that are compared one with the other at most; of longer parts all are gone and all are new. */
const MOST = 2_000

/** Lines around a change that are told. */
const AROUND = 3

/** What differs between two texts, with the lines around; a gap between is a line ` …`. Of the same texts nothing. */
export function lineDiff(before: string, after: string): readonly DiffLine[] {
  const [old, now] = [linesOf(before), linesOf(after)]
  let start = 0
  while (start < old.length && start < now.length && old[start] === now[start]) start += 1
  let end = 0
  while (
    end < old.length - start &&
    end < now.length - start &&
    old.at(-1 - end) === now.at(-1 - end)
  )
    end += 1
  const same = (lines: readonly string[]): DiffLine[] => lines.map((text) => ({ sign: ' ', text }))
  return shortened([
    ...same(old.slice(0, start)),
    ...between(old.slice(start, old.length - end), now.slice(start, now.length - end)),
    ...same(old.slice(old.length - end)),
  ])
}

function linesOf(text: string): string[] {
  return text === '' ? [] : text.replace(/\n$/, '').split('\n')
}

/** The longest common lines stay. */
function between(old: readonly string[], now: readonly string[]): DiffLine[] {
  const gone = (text: string): DiffLine => ({ sign: '-', text })
  const fresh = (text: string): DiffLine => ({ sign: '+', text })
  if (old.length > MOST || now.length > MOST) return [...old.map(gone), ...now.map(fresh)]
  const width = now.length + 1
  const longest = new Uint16Array((old.length + 1) * width)
  for (let at = old.length - 1; at >= 0; at -= 1)
    for (let to = now.length - 1; to >= 0; to -= 1)
      longest[at * width + to] =
        old[at] === now[to]
          ? longest[(at + 1) * width + to + 1]! + 1
          : Math.max(longest[(at + 1) * width + to]!, longest[at * width + to + 1]!)
  const lines: DiffLine[] = []
  let [at, to] = [0, 0]
  while (at < old.length && to < now.length) {
    if (old[at] === now[to]) {
      lines.push({ sign: ' ', text: old[at]! })
      at += 1
      to += 1
    } else if (longest[(at + 1) * width + to]! >= longest[at * width + to + 1]!) {
      lines.push(gone(old[at]!))
      at += 1
    } else {
      lines.push(fresh(now[to]!))
      to += 1
    }
  }
  return [...lines, ...old.slice(at).map(gone), ...now.slice(to).map(fresh)]
}

function shortened(lines: readonly DiffLine[]): readonly DiffLine[] {
  const isNear = lines.map((_, at) =>
    lines.slice(Math.max(0, at - AROUND), at + AROUND + 1).some(({ sign }) => sign !== ' '),
  )
  return lines.flatMap((line, at) => {
    if (isNear[at]) return [line]
    return isNear[at - 1] ? [{ sign: ' ', text: '…' } as const] : []
  })
}

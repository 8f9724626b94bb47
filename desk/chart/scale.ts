/** Values of an axis: from its least to its largest, and those it names. */
export interface Scale {
  readonly least: number
  readonly largest: number
  readonly ticks: readonly number[]
}

/** An axis of round numbers over these values, with zero in it. */
export function scaleOf(values: readonly number[], count = 4): Scale {
  const least = Math.min(0, ...values)
  const largest = Math.max(0, ...values)
  const span = largest - least || 1
  const step = roundStep(span / count)
  const first = Math.floor(least / step) * step
  const last = Math.ceil(largest / step) * step || step
  const steps = Math.round((last - first) / step)
  const ticks = Array.from({ length: steps + 1 }, (_, at) => rounded(first + at * step))
  return { least: first, largest: last, ticks }
}

/** The least of 1, 2, 2.5 and 5 times a power of ten that is at least so large. */
function roundStep(least: number): number {
  const power = 10 ** Math.floor(Math.log10(least))
  const times = [1, 2, 2.5, 5, 10].find((one) => one * power >= least * 0.999) ?? 10
  return times * power
}

function rounded(value: number): number {
  return Number(value.toPrecision(12))
}

/** Sums of parts that stand on each other: where each begins and ends, for each place. */
export function stacked(
  rows: readonly (readonly number[])[],
): readonly (readonly (readonly [from: number, to: number])[])[] {
  const tops: number[] = []
  return rows.map((values) =>
    values.map((value, at) => {
      const from = tops[at] ?? 0
      tops[at] = from + value
      return [from, from + value] as const
    }),
  )
}

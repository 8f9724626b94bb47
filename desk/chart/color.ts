/** Colour of a series; after the sixth they begin anew. */
export function color(at: number): string {
  return `var(--chart-${(at % 6) + 1})`
}

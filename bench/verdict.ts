/** A criterion of the project and how a run met it. */
export interface Verdict {
  readonly part: string
  readonly what: string
  readonly measured: string
  readonly wanted: string
  readonly passed: boolean
}

/** Prints rows of cells in columns; the first column to the left, all others to the right. */
export function printTable(head: readonly string[], rows: readonly (readonly string[])[]): void {
  const widths = head.map((title, column) =>
    Math.max(title.length, ...rows.map((row) => row[column]!.length)),
  )
  for (const row of [head, ...rows]) {
    const cells = row.map((cell, column) =>
      column === 0 ? cell.padEnd(widths[column]!) : cell.padStart(widths[column]!),
    )
    console.log(`  ${cells.join('  ')}`)
  }
}

/** Prints every criterion and returns whether all hold. */
export function printVerdicts(verdicts: readonly Verdict[]): boolean {
  console.log('\nSummary')
  printTable(
    ['what', 'measured', 'wanted', ''],
    verdicts.map(({ part, what, measured, wanted, passed }) => [
      `${part}: ${what}`,
      measured,
      wanted,
      passed ? 'PASS' : 'FAIL',
    ]),
  )
  const failed = verdicts.filter(({ passed }) => !passed).length
  console.log(`\n${verdicts.length - failed} passed, ${failed} failed`)
  return failed === 0
}

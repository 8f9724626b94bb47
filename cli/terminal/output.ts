import { writeFileSync } from 'node:fs'
import { fileProblem } from '../../engine/base/file-error.ts'
import { Failure } from '../failure.ts'

/** Space between two columns. */
const GAP = '  '

/** Prints a value as JSON for programs to read. */
export function printJson(value: unknown): void {
  console.log(JSON.stringify(value, null, 2))
}

/** Writes a generated text to a file and says so on stderr, or prints it when no file is named. */
export function writeText(text: string, file: string | undefined): void {
  const content = text.endsWith('\n') ? text : `${text}\n`
  if (file === undefined) {
    process.stdout.write(content)
    return
  }
  try {
    writeFileSync(file, content)
  } catch (error) {
    throw new Failure(`cannot write ${file}: ${fileProblem(error)}`, { cause: error })
  }
  console.error(`wrote ${file}`)
}

/**
 * Prints rows under their headings in aligned columns; says `none` when there are no rows. On a terminal that
 * is too narrow for them each row is a block with a line for each column: broken lines cannot be read.
 */
export function printTable(
  headings: readonly string[],
  rows: readonly (readonly string[])[],
  none: string,
): void {
  if (rows.length === 0) {
    console.log(none)
    return
  }
  const widths = headings.map((heading, column) =>
    Math.max(heading.length, ...rows.map((row) => row[column]?.length ?? 0)),
  )
  const width = widths.reduce((sum, column) => sum + column + GAP.length, -GAP.length)
  if (process.stdout.isTTY && width > process.stdout.columns) {
    console.log(rows.map((row) => blockOf(headings, row)).join('\n\n'))
    return
  }
  for (const row of [headings, ...rows]) {
    console.log(
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join(GAP)
        .trimEnd(),
    )
  }
}

function blockOf(headings: readonly string[], row: readonly string[]): string {
  const width = Math.max(...headings.map(({ length }) => length))
  return headings
    .map((heading, column) => `${heading.padEnd(width)}${GAP}${row[column] ?? ''}`.trimEnd())
    .join('\n')
}

/** A text as one word of a shell, whatever is in it. */
export function shellQuoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}

/** A number with its noun: `1 row`, `2 rows`. */
export function counted(count: number, noun: string, plural = `${noun}s`): string {
  return `${count} ${count === 1 ? noun : plural}`
}

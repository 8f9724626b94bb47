/** A cell of a grid, by its row and column. */
export interface Place {
  readonly row: number
  readonly column: number
}

/** Size of a grid. */
export interface Size {
  readonly rows: number
  readonly columns: number
}

/** Where a key leads from a cell; undefined where it leads nowhere. Tab goes on to the next row at the end of one. */
export function placeAfter(
  key: string,
  isShifted: boolean,
  { row, column }: Place,
  { rows, columns }: Size,
): Place | undefined {
  const inside = (to: Place): Place | undefined =>
    to.row < 0 || to.row >= rows || to.column < 0 || to.column >= columns ? undefined : to
  switch (key) {
    case 'ArrowUp':
      return inside({ row: row - 1, column })
    case 'ArrowDown':
      return inside({ row: row + 1, column })
    case 'ArrowLeft':
      return inside({ row, column: column - 1 })
    case 'ArrowRight':
      return inside({ row, column: column + 1 })
    case 'Home':
      return { row, column: 0 }
    case 'End':
      return { row, column: columns - 1 }
    case 'PageDown':
      return { row: Math.min(rows - 1, row + 10), column }
    case 'PageUp':
      return { row: Math.max(0, row - 10), column }
    case 'Tab': {
      const next = row * columns + column + (isShifted ? -1 : 1)
      return next < 0 || next >= rows * columns
        ? undefined
        : { row: Math.floor(next / columns), column: next % columns }
    }
    default:
      return undefined
  }
}

/** Cells of a text that was copied from a spreadsheet; one trailing line break is none. */
export function cellsOf(text: string): readonly (readonly string[])[] {
  return text
    .replace(/\r\n?/g, '\n')
    .replace(/\n$/, '')
    .split('\n')
    .map((line) => line.split('\t'))
}

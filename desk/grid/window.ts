/** Height of a row in pixels; the style sheet has the same. */
export const ROW_HEIGHT = 36

/** Rows above which only those in sight are drawn. */
export const WINDOWED_FROM = 40

/** Height of the part of a windowed grid that is in sight. */
export const SIGHT_HEIGHT = 560

/** Rows that are drawn beyond either edge of the sight. */
const BEYOND = 8

/** Rows of a grid that are drawn: from the first, up to but without the last. */
export interface RowWindow {
  readonly first: number
  readonly end: number
}

/** The rows in sight at this place of the scroll; all of them in a small grid. */
export function rowsInSight(rows: number, scrolled: number): RowWindow {
  if (rows <= WINDOWED_FROM) return { first: 0, end: rows }
  const first = Math.max(0, Math.floor(scrolled / ROW_HEIGHT) - BEYOND)
  return { first, end: Math.min(rows, first + Math.ceil(SIGHT_HEIGHT / ROW_HEIGHT) + 2 * BEYOND) }
}

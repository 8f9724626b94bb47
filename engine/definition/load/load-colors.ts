import { DefinitionErrors } from '../yaml/problems.ts'
import { createPlaces, isMap } from '../yaml/source.ts'
import { readWorkspaceFile } from './workspace-file.ts'

/** Names of the colours that values of selects may have; what they look like is for screens to say. */
export const COLOR_NAMES = ['gray', 'green', 'blue', 'orange', 'red', 'purple'] as const

/** Value of a select, or a state → the name of its colour. */
export type Colors = ReadonlyMap<string, string>

/**
 * Colours of values, from the last of these folders that has a `colors.yaml`; none where no folder has one. Throws
 * DefinitionErrors for another colour, and for a value that stands in two lists.
 *
 *     green: [Paid, Completed]
 *     red: [Overdue]
 */
export function loadColors(folders: readonly string[]): Colors {
  const colors = new Map<string, string>()
  const file = readWorkspaceFile(folders, 'colors.yaml')
  if (!file) return colors
  const wrong = (path: readonly (string | number)[], message: string): DefinitionErrors =>
    new DefinitionErrors([{ ...createPlaces().in([file], [...path], 'value'), message }])
  if (!isMap(file.data)) throw wrong([], 'expected a map: colour → list of values')
  for (const [color, values] of Object.entries(file.data)) {
    if (!COLOR_NAMES.some((name) => name === color))
      throw wrong([color], `expected one of ${COLOR_NAMES.join(', ')}, got ${color}`)
    if (!Array.isArray(values)) throw wrong([color], 'expected a list of values')
    for (const [index, value] of values.entries()) {
      if (typeof value !== 'string') throw wrong([color, index], 'expected a text')
      if (colors.has(value)) throw wrong([color, index], `${value} is ${colors.get(value)} already`)
      colors.set(value, color)
    }
  }
  return colors
}

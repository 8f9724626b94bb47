export const FORMATS = ['csv', 'json', 'jsonl'] as const
export type Format = (typeof FORMATS)[number]

type Exported = Readonly<Record<string, unknown>>

/** How records become text, one after the other. */
export interface RecordFormat {
  readonly head: string
  /** `at` counts from 0. */
  record(record: Exported, at: number): string
  readonly foot: string
}

/** The text of records in this format; `fields` are the columns of a table. */
export function recordFormat(format: Format, fields: readonly string[]): RecordFormat {
  return {
    jsonl: { head: '', record: (record: Exported) => `${JSON.stringify(record)}\n`, foot: '' },
    json: {
      head: '[',
      record: (record: Exported, at: number) =>
        `${at === 0 ? '\n' : ',\n'}${JSON.stringify(record)}`,
      foot: '\n]\n',
    },
    csv: {
      head: csvLine(fields),
      record: (record: Exported) => csvLine(fields.map((name) => cellOf(record[name]))),
      foot: '',
    },
  }[format]
}

/** Unset is empty; tables of a record are JSON in one cell. */
function cellOf(value: unknown): string {
  if (value === null || value === undefined) return ''
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

/** RFC 4180, with the line ends that spreadsheets and programs both read. */
function csvLine(cells: readonly string[]): string {
  const quoted = cells.map((cell) =>
    /[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell,
  )
  return `${quoted.join(',')}\r\n`
}

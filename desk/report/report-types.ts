import type { FieldInfo, Row } from '../data/types.ts'

/** The list that the numbers of a column add up (contract §3, Reports). */
export interface ReportLink {
  readonly resource: string
  /** Parameters of the list, as in an address. */
  readonly filter: string
  /** Field of the list → column whose value it has in the list of a row. */
  readonly by?: Readonly<Record<string, string>>
  readonly sums?: Readonly<Record<string, number>>
  readonly total: boolean
}

export interface ReportColumn {
  readonly name: string
  readonly label: string
  readonly type: string
  readonly description?: string
  /** DocType of a link, the column that names it, or values of a select. */
  readonly options?: string | readonly string[]
  /** The column that names the currency of its amounts. */
  readonly currency?: string
  readonly link?: ReportLink
}

/** A row; in a tree with how deep it stands. */
export interface ReportRow extends Row {
  readonly indent?: number
}

export interface ReportNumber {
  readonly name: string
  readonly label: string
  readonly type: string
  readonly value: number | null
}

/** How a report is drawn: a column below the bars, or the labels of periods. */
export interface ReportChart {
  readonly type: 'bar' | 'line' | 'pie'
  readonly x: string | readonly string[]
  readonly y: readonly string[]
}

/** The answer of a report. */
export interface ReportAnswer {
  readonly report: string
  readonly label: string
  readonly columns: readonly ReportColumn[]
  readonly data: readonly ReportRow[]
  readonly totals: Row | null
  readonly total_label?: string
  readonly summary: readonly ReportNumber[]
  readonly chart?: ReportChart
  readonly meta: {
    readonly total: number
    readonly limit: number
    readonly currency?: string
    readonly params: Row
  }
}

/** A report as the list of reports has it: with what it can be asked. */
export interface ReportInfo {
  readonly slug: string
  readonly label: string
  readonly module: string
  readonly description: string
  readonly icon?: string
  readonly allowed: boolean
  readonly params: readonly ReportParameter[]
}

/** What a report can be asked; `has_default` says that it is filled in where nothing is given. */
export interface ReportParameter extends FieldInfo {
  readonly has_default?: true
}

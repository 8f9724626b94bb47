import type { Formats } from '../data/format.ts'
import { formatValue } from '../data/format.ts'
import type { FieldInfo, ResourceEntry, Row } from '../data/types.ts'
import type { Titles } from '../record/use-titles.ts'
import { sentenceCase } from '../words/sentence-case.ts'
import type { ReportAnswer, ReportColumn, ReportRow } from './report-types.ts'

const NUMBERS: ReadonlySet<string> = new Set(['int', 'float', 'percent', 'currency', 'duration'])

/** Whether a column is of numbers. */
export function isNumeric({ type }: Pick<ReportColumn, 'type'>): boolean {
  return NUMBERS.has(type)
}

/** Text of a value of a report: amounts in the currency of the report, unless their column names another. */
export function valueText(
  { name, type, currency }: Pick<ReportColumn, 'name' | 'type' | 'currency'>,
  row: Row,
  formats: Formats,
): string {
  const field = { name, type, currency_field: currency } as unknown as FieldInfo
  const value = row[name]
  // What nobody counts to the millionth is shown to the hundredth.
  const shown =
    type === 'float' && typeof value === 'number' ? Math.round(value * 100) / 100 : value
  return formatValue(field, { ...row, [name]: shown }, formats)
}

/** The formats of a report: its own currency, else the workspace's. */
export function formatsOf(answer: ReportAnswer | undefined, formats: Formats): Formats {
  return answer?.meta.currency ? { ...formats, currency: answer.meta.currency } : formats
}

/** Slug of the resource that a value of a column leads to; empty for none. */
export function targetOf(
  { type, options }: Pick<ReportColumn, 'type' | 'options'>,
  row: Row,
  slugOf: (doctype: unknown) => string,
): string {
  if (typeof options !== 'string') return ''
  if (type === 'link') return slugOf(options)
  return type === 'dynamic_link' ? slugOf(row[options]) : ''
}

/** The records that links of these rows lead to. */
export function linkedRecords(
  { columns, data }: ReportAnswer,
  slugOf: (doctype: unknown) => string,
  entryOf: (slug: string) => ResourceEntry | undefined,
): readonly { readonly slug: string; readonly id: string }[] {
  const links = columns.filter(({ type }) => type === 'link' || type === 'dynamic_link')
  return data.flatMap((row) =>
    links.flatMap((column) => {
      const slug = targetOf(column, row, slugOf)
      const id = row[column.name]
      // A document is known by its number; what it is called is mostly whom it is for, who stands beside it.
      const isTitled = slug !== '' && entryOf(slug)?.submittable === false
      return isTitled && typeof id === 'string' && id !== '' ? [{ slug, id }] : []
    }),
  )
}

/** What people call the value of a column in a row: the title of a link, else its text. */
export function nameIn(
  column: ReportColumn,
  row: Row,
  titles: Titles,
  formats: Formats,
  slugOf: (doctype: unknown) => string,
): string {
  const slug = targetOf(column, row, slugOf)
  const title = slug === '' ? undefined : titles.get(`${slug}/${row[column.name]}`)
  const beside = row[`${column.name}_name`]
  return (
    title ??
    (typeof beside === 'string' && beside !== '' ? beside : valueText(column, row, formats))
  )
}

/** Label of a column as it stands above it; that of a period as it is. */
export function headOf({ label }: Pick<ReportColumn, 'label'>): string {
  return /\d/.test(label) ? label : sentenceCase(label)
}

/** The columns that are shown: without those that only repeat what a link before them is called, and those nothing stands in. */
export function shownColumns(
  { columns, data }: ReportAnswer,
  titles: Titles,
  slugOf: (doctype: unknown) => string,
): readonly ReportColumn[] {
  const links = columns.filter(({ type }) => type === 'link' || type === 'dynamic_link')
  const repeats = (column: ReportColumn): boolean =>
    links.some(
      (link) =>
        link !== column &&
        data.every((row) => {
          const title = titles.get(`${targetOf(link, row, slugOf)}/${row[link.name]}`)
          return (title ?? row[link.name] ?? null) === (row[column.name] ?? null)
        }),
    )
  const isEmpty = ({ name }: ReportColumn): boolean =>
    data.every((row) => row[name] === null || row[name] === undefined || row[name] === '')
  const names = new Set(
    columns.flatMap(({ options }) => (typeof options === 'string' ? [options] : [])),
  )
  return columns.filter(
    (column, at) =>
      at === 0 ||
      data.length === 0 ||
      isNumeric(column) ||
      column.type === 'link' ||
      (!isNameBeside(column, columns) &&
        !repeats(column) &&
        !isEmpty(column) &&
        !(names.has(column.name) && isKindOnly(column, links, data, slugOf))),
  )
}

/** Whether a column is the name of what the one before it has by its identifier: that shows it. */
function isNameBeside({ name }: ReportColumn, columns: readonly ReportColumn[]): boolean {
  const own = name.endsWith('_name') ? name.slice(0, -'_name'.length) : ''
  return columns.some((one) => one.name === own)
}

/** Whether a column only says what kind of record a link beside it leads to, which that shows by itself. */
function isKindOnly(
  { name }: ReportColumn,
  links: readonly ReportColumn[],
  data: readonly ReportRow[],
  slugOf: (doctype: unknown) => string,
): boolean {
  const link = links.find(({ options }) => options === name)
  return (
    link !== undefined &&
    new Set(data.map((row) => row[name]).filter(Boolean)).size <= 1 &&
    data.every((row) => row[name] === null || slugOf(row[name]) !== '')
  )
}

/** Address of the list that a number adds up; undefined where there is none, or nothing to see. */
export function drillAddress(
  { name, link }: ReportColumn,
  rows: readonly ReportRow[],
  at: number,
): string | undefined {
  const row = rows[at]
  if (!link?.by || !row?.[name]) return undefined
  const more: string[] = []
  for (const [field, column] of Object.entries(link.by)) {
    const value = row[column]
    if (field === 'id') return `/${link.resource}/${encodeURIComponent(String(value))}`
    if (row.indent === undefined) more.push(`${field}=${encodeURIComponent(String(value ?? ''))}`)
    else {
      const names = branchOf(rows, at).map((one) => String(one[column]).replace(/[\\,]/g, '\\$&'))
      if (names.length > MOST_OF_BRANCH) return undefined
      const key = names.length === 1 ? field : `${field}__in`
      more.push(`${key}=${encodeURIComponent(names.join(','))}`)
    }
  }
  return `/${link.resource}?${[link.filter, ...more].filter(Boolean).join('&')}`
}

/** Most names that an address holds. */
const MOST_OF_BRANCH = 200

/** A row of a tree and all below it. */
export function branchOf(rows: readonly ReportRow[], at: number): readonly ReportRow[] {
  const top = rows[at]
  const end = rows.findIndex((row, index) => index > at && (row.indent ?? 0) <= (top?.indent ?? 0))
  return rows.slice(at, end < 0 ? undefined : end)
}

/** Address of the list that the total of a column adds up. */
export function totalAddress({ link }: ReportColumn): string | undefined {
  return link?.total ? `/${link.resource}?${link.filter}` : undefined
}

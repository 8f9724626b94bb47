import { type Detail, validationError } from '../../engine/base/errors.ts'
import { may } from '../../engine/documents/rights/door.ts'
import type { Context } from '../../engine/documents/work/context.ts'
import type { Reports } from '../../engine/reports/compile/load.ts'
import { maySee } from '../../engine/reports/run/access.ts'
import { type BodyField, readFields } from '../http/fields-of-body.ts'

/** Layouts of a list. */
export const LAYOUTS = ['table', 'board', 'calendar', 'tree'] as const

/** A saved view of a list, as it is sent and answered. */
export interface ListView {
  readonly resource: string
  readonly title: string
  /** Parameters of the list, as in an address: `status=Open&sort=-modified`. */
  readonly query: string
  readonly columns: readonly ViewColumn[]
  readonly layout: string
  /** Role whose people see it too; null = nobody else. */
  readonly shared_with: string | null
  readonly is_default: boolean
}

/** A column of a view, and how wide it is on the screen, in pixels. */
export interface ViewColumn {
  readonly field: string
  readonly width?: number | null
}

const MOST_COLUMNS = 100

const textField = (expected: string, most: number): BodyField<string> => ({
  expected,
  read: (value) => (typeof value === 'string' && value.length <= most ? value : undefined),
})

const RULES = {
  resource: textField('the slug of a resource, or reports/ and that of a report', 110),
  title: {
    expected: 'a title of 1 to 140 characters',
    read: (value: unknown) =>
      typeof value === 'string' && value.trim() !== '' && value.length <= 140 ? value : undefined,
  },
  query: textField('the parameters of a list as in an address, at most 4,000 characters', 4_000),
  columns: {
    expected: `at most ${MOST_COLUMNS} columns [{field, width}]`,
    read: readColumns,
  },
  layout: {
    expected: `one of ${LAYOUTS.join(', ')}`,
    read: (value: unknown) => LAYOUTS.find((one) => one === value),
  },
  shared_with: {
    expected: 'the name of a role, or null',
    read: (value: unknown) =>
      value === null || (typeof value === 'string' && value !== '') ? { role: value } : undefined,
  },
  is_default: {
    expected: 'true or false',
    read: (value: unknown) => (typeof value === 'boolean' ? { is: value } : undefined),
  },
} as const

function readColumns(value: unknown): readonly ViewColumn[] | undefined {
  if (!Array.isArray(value) || value.length > MOST_COLUMNS) return undefined
  const columns = value.filter(isColumn)
  return columns.length === value.length
    ? columns.map(({ field, width }) => (width === undefined ? { field } : { field, width }))
    : undefined
}

function isColumn(value: unknown): value is ViewColumn {
  if (typeof value !== 'object' || value === null) return false
  const { field, width, ...rest } = value as Record<string, unknown>
  const isWide =
    width === undefined || width === null || (typeof width === 'number' && width > 0 && width < 1e4)
  return (
    typeof field === 'string' && field.length <= 140 && isWide && Object.keys(rest).length === 0
  )
}

/**
 * Reads the body of a view, over the one there is when it is changed. Throws 422 with all problems: fields, and a resource that is
 * not there or that the caller may not read.
 */
export function readListView(
  context: Context,
  reports: Pick<Reports, 'bySlug'>,
  body: unknown,
  before?: ListView,
): ListView {
  const { shared_with, is_default, ...given } = readFields(body, RULES)
  const view = {
    ...(before ?? {
      query: '',
      columns: [],
      layout: 'table',
      shared_with: null,
      is_default: false,
    }),
    ...given,
    ...(shared_with === undefined ? {} : { shared_with: shared_with.role }),
    ...(is_default === undefined ? {} : { is_default: is_default.is }),
  } as Partial<ListView>
  const details: Detail[] = []
  for (const field of ['resource', 'title'] as const)
    if (view[field] === undefined) details.push({ field, message: 'is required', code: 'required' })
  if (view.resource !== undefined && !isReadable(context, view.resource, reports))
    details.push({
      field: 'resource',
      message: `there is no resource ${JSON.stringify(view.resource)}; GET /v1/resources lists them`,
      code: 'not_an_option',
    })
  if (details.length > 0) throw validationError(details)
  return view as ListView
}

/** A view of a report names it behind this. */
const OF_REPORT = 'reports/'

/** Whether a view is of something that the caller may read: the list of a resource, or a report. */
export function isReadable(
  context: Context,
  resource: string,
  reports: Pick<Reports, 'bySlug'>,
): boolean {
  if (resource.startsWith(OF_REPORT)) {
    const report = reports.bySlug(resource.slice(OF_REPORT.length))
    return report !== undefined && maySee(context, report)
  }
  const definition = context.services.registry.bySlug(resource)
  return definition !== undefined && may(context, definition, 'read')
}

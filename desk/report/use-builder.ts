import { keepPreviousData, type UseQueryResult, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useDesk } from '../boot/desk-context.ts'
import type { FieldInfo, ResourceInfo } from '../data/types.ts'
import { groupableFields, groupedBy } from '../list/list-groups.ts'
import type { ReportAnswer } from './report-types.ts'

/** Milliseconds after the last change until the report is tried. */
const TRY_MS = 300

/** A report that is being made of a list. */
export interface Built {
  readonly label: string
  /** Names of the fields that groups are made by; the second may be empty. */
  readonly by: string
  readonly thenBy: string
  readonly sums: readonly string[]
  /** Day by which the report asks for a span of time; empty for all times. */
  readonly days: string
  readonly chart: string
}

/** What a report that is tried answers, with its file. */
export interface Tried extends ReportAnswer {
  readonly yaml: string
}

/** Fields of a list that can be added up. */
export function summableFields({ fields }: ResourceInfo): readonly FieldInfo[] {
  const kinds = new Set(['currency', 'float', 'int', 'percent'])
  return fields.filter(({ type, hidden }) => !hidden && kinds.has(type))
}

/** Days and moments by which a report can ask for a span of time. */
export function dayFields({ fields }: ResourceInfo): readonly FieldInfo[] {
  return fields.filter(({ type, hidden }) => !hidden && (type === 'date' || type === 'datetime'))
}

/** What one begins with: the groups of the list, the first money it shows, by its first day. */
export function beginning(resource: ResourceInfo, group: string): Built {
  const shown = ({ name }: FieldInfo): boolean => resource.list_fields.includes(name)
  const by = group === '' ? (groupableFields(resource)[0]?.name ?? '') : group
  const money = summableFields(resource).find((field) => field.type === 'currency' && shown(field))
  return {
    label: nameOf(resource, by),
    by,
    thenBy: '',
    sums: money ? [money.name] : [],
    days: dayFields(resource).find(shown)?.name ?? '',
    chart: 'bar',
  }
}

/** A name as definitions have it, in English letters: `Sales Order by Customer`. */
export function nameOf({ doctype }: ResourceInfo, by: string): string {
  const words = by.split('_').map((word) => word.charAt(0).toUpperCase() + word.slice(1))
  return `${doctype} by ${words.join(' ')}`
}

/** What the server is sent. */
export function bodyOf(resource: ResourceInfo, filter: string, built: Built): object {
  const query = new URLSearchParams(filter)
  const by = resource.fields.find(({ name }) => name === built.by)
  if (by) query.set('_count_by', groupedBy(by))
  if (built.sums.length > 0) query.set('_sum', built.sums.join(','))
  return {
    label: built.label.trim(),
    resource: resource.slug,
    query: query.toString(),
    ...(built.thenBy === '' ? {} : { then_by: built.thenBy }),
    ...(built.days === '' ? {} : { days: built.days }),
    ...(built.chart === '' ? {} : { chart: built.chart }),
  }
}

/** What the report would answer as it stands, a moment after it was changed last. */
export function useTrial(body: object | undefined): UseQueryResult<Tried> {
  const { client } = useDesk()
  const text = body === undefined ? '' : JSON.stringify(body)
  const [settled, setSettled] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), TRY_MS)
    return () => clearTimeout(timer)
  }, [text])
  return useQuery({
    queryKey: ['report', 'trial', settled],
    queryFn: async ({ signal }) =>
      (
        await client.ask<Tried>('/v1/reports?dry_run=1', {
          method: 'POST',
          body: JSON.parse(settled) as object,
          signal,
        })
      ).body,
    placeholderData: keepPreviousData,
    enabled: settled !== '',
    retry: false,
  })
}

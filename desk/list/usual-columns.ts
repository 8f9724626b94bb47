import type { FieldInfo, RecordData, ResourceInfo } from '../data/types.ts'
import { useOwnCompany } from '../record/own-company.ts'
import { columnsOf, type ListState } from './list-state.ts'

/**
 * The columns of a list: those that were chosen; else those of the definition, without what says nothing on this page: a mark that
 * no row has, and the one company of the workspace.
 */
export function useUsualColumns(
  resource: ResourceInfo,
  state: ListState,
  rows: readonly RecordData[],
): readonly FieldInfo[] {
  const company = useOwnCompany()
  const columns = columnsOf(resource, state.fields)
  if (state.fields) return columns
  return columns.filter(({ name, type, resource: target }) => {
    if (type === 'check') return rows.some((row) => row[name] === true)
    const isCompany = company !== undefined && target === company.resource
    return !isCompany || rows.some((row) => row[name] !== company.id)
  })
}

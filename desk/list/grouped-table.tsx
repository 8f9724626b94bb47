import { type ReactElement, useState } from 'react'
import { Link } from 'wouter'
import { useDesk } from '../boot/desk-context.ts'
import { choicesOf, formatMonth, formatValue } from '../data/format.ts'
import { useGroups, useList } from '../data/queries.ts'
import type { FieldInfo, Groups, RecordData, ResourceInfo } from '../data/types.ts'
import { Icon } from '../ui/icon.tsx'
import { Pill } from '../ui/pill.tsx'
import { PageSkeleton } from '../ui/skeleton.tsx'
import { WORDS } from '../words/en.ts'
import { ColumnHead } from './column-head.tsx'
import { narrowing } from './list-address.ts'
import { groupedBy, groupFilter } from './list-groups.ts'
import { ListRow } from './list-row.tsx'
import { columnsOf, type ListState, listQuery, titleField } from './list-state.ts'
import { moneyColumns, useOneCurrency } from './list-sums.tsx'
import { useColumns } from './use-columns.ts'
import { type InlineEdit, useInlineEdit } from './use-inline-edit.ts'

interface GroupedProps {
  readonly resource: ResourceInfo
  readonly state: ListState
  /** What the records stand in groups by. */
  readonly by: FieldInfo
  readonly selected: ReadonlySet<string>
  readonly onSelect: (selected: ReadonlySet<string>) => void
}

/** Rows that an open group shows before it leads to a list of its own. */
const SHOWN = 20

/** Groups that are open at first. */
const OPEN = 3

/** The records of a list in groups by the values of a field: how many each has, what they add up to, and its rows when it is open. */
export function GroupedTable({
  resource,
  state,
  by,
  selected,
  onSelect,
}: GroupedProps): ReactElement {
  const columns = columnsOf(resource, state.fields).filter((field) => field !== by)
  const kept = useColumns(resource, state)
  const edit = useInlineEdit(resource, columns)
  const money = moneyColumns(columns, resource)
  const currency = useOneCurrency(resource, state, money)
  const query = new URLSearchParams({
    ...narrowing(state),
    _count_by: groupedBy(by),
    ...(currency === undefined ? {} : { _sum: money.map(({ name }) => name).join(',') }),
  })
  const { data } = useGroups(resource.slug, query.toString())
  if (!data) return <PageSkeleton />
  const head = { resource, state, columns: kept }
  const hasTitle = titleField(resource) !== 'id'
  const named = (name: string) => resource.fields.find((one) => one.name === name)
  const [title, id] = [named(titleField(resource)), named('id')]
  const groups = by.type === 'date' ? [...data.groups].sort(newestFirst) : data.groups

  function toggle(row: RecordData): void {
    const next = new Set(selected)
    if (!next.delete(row.id)) next.add(row.id)
    onSelect(next)
  }

  return (
    <table className="list grouped">
      <thead>
        <tr>
          <th className="pick">
            <span className="visually-hidden">{WORDS.select('')}</span>
          </th>
          {title ? (
            <ColumnHead {...head} field={title} label={hasTitle ? title.label : 'ID'} />
          ) : null}
          {hasTitle && id ? <ColumnHead {...head} field={id} label="ID" /> : null}
          {columns.map((field) => (
            <ColumnHead key={field.name} {...head} field={field} />
          ))}
        </tr>
      </thead>
      {groups.map((group, at) => (
        <Group
          key={String(group.value)}
          resource={resource}
          state={state}
          by={by}
          group={group}
          columns={columns}
          sums={currency === undefined ? [] : money}
          currency={currency ?? {}}
          widths={kept.widths}
          edit={edit}
          selected={selected}
          onToggle={toggle}
          isOpenFirst={at < OPEN}
        />
      ))}
    </table>
  )
}

function newestFirst(one: { readonly value: unknown }, other: { readonly value: unknown }): number {
  return String(other.value ?? '').localeCompare(String(one.value ?? ''))
}

interface GroupProps {
  readonly resource: ResourceInfo
  readonly state: ListState
  readonly by: FieldInfo
  readonly group: Groups['groups'][number]
  readonly columns: readonly FieldInfo[]
  /** Columns whose sums are told. */
  readonly sums: readonly FieldInfo[]
  /** The field that says their currency, with its value. */
  readonly currency: Readonly<Record<string, unknown>>
  readonly widths: Readonly<Record<string, number>>
  readonly edit: InlineEdit
  readonly selected: ReadonlySet<string>
  readonly onToggle: (row: RecordData) => void
  readonly isOpenFirst: boolean
}

function Group(props: GroupProps): ReactElement {
  const { resource, state, by, group, columns, sums, currency, isOpenFirst } = props
  const { formats } = useDesk()
  const [isOpen, setOpen] = useState(isOpenFirst)
  const before = titleField(resource) === 'id' ? 2 : 3
  return (
    <tbody>
      <tr className="group-head">
        <th scope="rowgroup" colSpan={before}>
          <button type="button" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
            <Icon name="chevron-right" size={14} />
            <GroupLabel by={by} group={group} />
            <span className="count">{group.count.toLocaleString(formats.locale)}</span>
          </button>
        </th>
        {columns.map((field) => (
          <td key={field.name} className="number">
            {sums.includes(field)
              ? formatValue(field, { ...currency, [field.name]: group.sums[field.name] }, formats)
              : ''}
          </td>
        ))}
      </tr>
      {isOpen ? <GroupRows {...props} filter={groupFilter(by, group)} state={state} /> : null}
    </tbody>
  )
}

function GroupLabel({ by, group }: Pick<GroupProps, 'by' | 'group'>): ReactElement {
  const { boot, formats } = useDesk()
  const value = String(group.value ?? '')
  if (value === '') return <span className="quiet">{WORDS.noValue}</span>
  if (by.type === 'select') {
    const choice = choicesOf(by).find((one) => one.value === value)
    return <Pill text={choice?.label ?? value} color={choice?.color ?? boot.colors[value]} />
  }
  if (by.type === 'check') return <>{value === 'true' || value === '1' ? WORDS.yes : WORDS.no}</>
  return <>{by.type === 'date' ? formatMonth(value, formats) : group.label || value}</>
}

function GroupRows(
  props: GroupProps & { readonly filter: Readonly<Record<string, string>> },
): ReactElement {
  const { resource, state, group, columns, widths, edit, selected, onToggle, filter } = props
  const query = new URLSearchParams(listQuery(resource, state))
  for (const [name, value] of Object.entries({ ...filter, limit: String(SHOWN), offset: '0' }))
    query.set(name, value)
  const { data } = useList(resource.slug, query.toString(), true)
  const own = new URLSearchParams({ ...narrowing(state), ...filter })
  return (
    <>
      {data?.data.map((row) => (
        <ListRow
          key={row.id}
          resource={resource}
          row={row}
          columns={columns}
          widths={widths}
          isSelected={selected.has(row.id)}
          onToggle={onToggle}
          edit={edit}
        />
      ))}
      {group.count > SHOWN ? (
        <tr>
          <td className="pick" />
          <td colSpan={columns.length + 2}>
            <Link href={`/${resource.slug}?${own}`}>{WORDS.showAll(group.count)}</Link>
          </td>
        </tr>
      ) : null}
    </>
  )
}

import '../style/layouts.css'
import { type KeyboardEvent, type ReactElement, useState } from 'react'
import { Link } from 'wouter'
import { isNumber } from '../data/format.ts'
import { useGroups, useList } from '../data/queries.ts'
import type { FieldInfo, RecordData, ResourceInfo } from '../data/types.ts'
import { treeOf } from '../list/layouts.ts'
import { columnsOf, type ListState, listQuery, titleField } from '../list/list-state.ts'
import { Cell, recordAddress, titleOf } from '../list/row-parts.tsx'
import { IconButton } from '../ui/button.tsx'
import { PageSkeleton } from '../ui/skeleton.tsx'
import { WORDS } from '../words/en.ts'
import { sentenceCase } from '../words/sentence-case.ts'

interface TreeProps {
  readonly resource: ResourceInfo
  readonly state: ListState
}

/** Levels that are open at first. */
const OPEN_LEVELS = 1

/** What every row of a tree knows. */
interface Scene {
  readonly resource: ResourceInfo
  readonly columns: readonly FieldInfo[]
  readonly query: (above: string) => string
  /** Record → number of those directly below it. */
  readonly counts: ReadonlyMap<string, number>
  readonly isOpen: (id: string, level: number) => boolean
  readonly toggle: (id: string, isOpen: boolean) => void
}

/** Records that stand below one another: what is below is loaded when it is opened. */
export function Tree({ resource, state }: TreeProps): ReactElement {
  const above = treeOf(resource)!
  // A mark is not worth a column of its own unless somebody wants it.
  const columns = columnsOf(resource, state.fields).filter(
    ({ name, type }) => name !== above.name && (state.fields !== undefined || type !== 'check'),
  )
  const groups = useGroups(resource.slug, new URLSearchParams({ _count_by: above.name }).toString())
  const [opened, setOpened] = useState<ReadonlyMap<string, boolean>>(new Map())
  if (!groups.data) return <PageSkeleton />
  const scene: Scene = {
    resource,
    columns,
    counts: new Map(groups.data.groups.map(({ value, count }) => [String(value ?? ''), count])),
    query: (id) =>
      `${listQuery(resource, sortedByTitle(resource, state))}&${above.name}=${encodeURIComponent(id)}`,
    isOpen: (id, level) => opened.get(id) ?? level <= OPEN_LEVELS,
    toggle: (id, isOpen) => setOpened((all) => new Map(all).set(id, isOpen)),
  }
  return (
    <div className="list-rows" data-layout="tree">
      {/* biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: rows that open and close */}
      <table className="list tree" role="treegrid" aria-label={sentenceCase(resource.label_plural)}>
        <thead>
          <tr>
            <th>{WORDS.nameColumn}</th>
            {columns.map((field) => (
              <th key={field.name} className={isNumber(field) ? 'number' : undefined}>
                {field.name === 'modified' ? WORDS.updated : sentenceCase(field.label)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody onKeyDown={moveInTree}>
          <Branch scene={scene} above="" level={1} />
        </tbody>
      </table>
    </div>
  )
}

function sortedByTitle(resource: ResourceInfo, state: ListState): ListState {
  const field = titleField(resource) === 'id' ? 'name' : titleField(resource)
  return { ...state, sorts: [{ field, isDown: false }], limit: 100, offset: 0 }
}

/** The records directly below one, each followed by its own branch. */
function Branch({
  scene,
  above,
  level,
}: {
  scene: Scene
  above: string
  level: number
}): ReactElement | null {
  const { data } = useList(scene.resource.slug, scene.query(above), true)
  if (!data) return null
  return (
    <>
      {data.data.map((row) => (
        <TreeRow key={row.id} scene={scene} row={row} level={level} />
      ))}
    </>
  )
}

function TreeRow({
  scene,
  row,
  level,
}: {
  scene: Scene
  row: RecordData
  level: number
}): ReactElement {
  const { resource, columns, counts } = scene
  const count = counts.get(row.id) ?? 0
  const isOpen = count > 0 && scene.isOpen(row.id, level)
  const title = titleOf(resource, row)
  return (
    <>
      <tr aria-level={level} aria-expanded={count > 0 ? isOpen : undefined}>
        <td className="title" style={{ paddingInlineStart: 12 + (level - 1) * 22 }}>
          {count > 0 ? (
            <IconButton
              icon={isOpen ? 'chevron-down' : 'chevron-right'}
              label={isOpen ? WORDS.fold(title) : WORDS.unfold(title)}
              aria-expanded={isOpen}
              tabIndex={-1}
              data-fold
              onClick={() => scene.toggle(row.id, !isOpen)}
            />
          ) : (
            <span className="no-fold" />
          )}
          <Link href={recordAddress(resource, row)} data-row={row.id}>
            {title}
          </Link>
          {count > 0 ? <span className="count-pill">{count}</span> : null}
        </td>
        {columns.map((field) => (
          <td key={field.name} className={isNumber(field) ? 'number' : undefined}>
            <Cell field={field} row={row} resource={resource} />
          </td>
        ))}
      </tr>
      {isOpen ? <Branch scene={scene} above={row.id} level={level + 1} /> : null}
    </>
  )
}

/** Up and down go from row to row, right opens, left folds. */
function moveInTree(event: KeyboardEvent<HTMLElement>): void {
  const links = [...event.currentTarget.querySelectorAll<HTMLElement>('[data-row]')]
  const here = (event.target as HTMLElement).closest('tr')
  const at = links.findIndex((link) => link.closest('tr') === here)
  const step = { ArrowDown: 1, ArrowUp: -1, j: 1, k: -1 }[event.key]
  const fold = here?.querySelector<HTMLElement>('[data-fold]')
  const isOpen = here?.getAttribute('aria-expanded') === 'true'
  if (step !== undefined) links[at + step]?.focus()
  else if (event.key === 'ArrowRight' && fold && !isOpen) fold.click()
  else if (event.key === 'ArrowLeft' && fold && isOpen) fold.click()
  else return
  event.preventDefault()
}

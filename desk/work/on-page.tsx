import { type ReactElement, useEffect } from 'react'
import { useDesk } from '../boot/desk-context.ts'
import type { WorkPage } from '../home/workspace-types.ts'
import { Locked } from '../shell/locked.tsx'
import { NotFound } from '../shell/not-found.tsx'
import { useWorkPage } from './use-work-page.ts'

interface OnPageProps {
  /** Address of the page. */
  readonly name: string
  readonly children: (page: WorkPage) => ReactElement
}

/** Draws a page of work where a workspace has it and the plan all of its parts. */
export function OnPage({ name, children }: OnPageProps): ReactElement {
  const { boot, entryOf } = useDesk()
  const page = useWorkPage(name)
  const label = page?.label
  useEffect(() => {
    if (label) document.title = `${label} · ${boot.workspace.label}`
  }, [label, boot])
  if (!page) return <NotFound />
  const locked = Object.values(page.parts)
    .map(({ resource }) => entryOf(resource))
    .find((entry) => entry?.locked)
  return locked ? <Locked entry={locked} /> : children(page)
}

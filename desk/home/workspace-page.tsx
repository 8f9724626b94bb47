import '../style/home.css'
import { type ReactElement, useEffect } from 'react'
import { useDesk } from '../boot/desk-context.ts'
import { NotFound } from '../shell/not-found.tsx'
import { Icon } from '../ui/icon.tsx'
import { PAGES } from '../words/pages/en.ts'
import { NumberCards } from './number-cards.tsx'
import { useOpenParts } from './open-parts.ts'
import { Shortcuts } from './shortcuts.tsx'
import { WorkspaceCharts } from './workspace-charts.tsx'
import { WorkspaceWays } from './workspace-ways.tsx'

/** `/w/{workspace}`: the numbers, charts and ways of one kind of work. */
export function WorkspacePage({ name }: { name: string }): ReactElement {
  const { boot } = useDesk()
  const open = useOpenParts()
  const workspace = boot.workspaces?.find((one) => one.name === name)
  const label = workspace?.label
  useEffect(() => {
    if (label) document.title = `${label} · ${boot.workspace.label}`
  }, [label, boot])
  if (!workspace) return <NotFound />
  return (
    <div className="home workspace" data-workspace={name}>
      <WorkspaceWays here={name} />
      <h1>
        <Icon name={workspace.icon ?? 'layout-grid'} size={22} />
        {workspace.label}
      </h1>
      <NumberCards cards={open(workspace.cards)} />
      <WorkspaceCharts charts={open(workspace.charts)} />
      <section aria-labelledby="ways">
        <h2 id="ways">{PAGES.goTo}</h2>
        <Shortcuts all={workspace.shortcuts} pages={workspace.pages} />
      </section>
    </div>
  )
}

import { lazy, type ReactElement, type ReactNode, Suspense, useState } from 'react'
import { BesideContext, useBeside } from './beside-context.ts'
import { createBesideStore } from './beside-store.ts'

const BesidePanel = lazy(() =>
  import('./beside-panel.tsx').then((file) => ({ default: file.BesidePanel })),
)

/** Draws the files beside a form: outside its page, so that a paper stands still while the page becomes that of the saved record. */
export function BesideProvider({ children }: { children: ReactNode }): ReactElement {
  const [store] = useState(createBesideStore)
  return (
    <BesideContext value={store}>
      {children}
      <Panel />
    </BesideContext>
  )
}

function Panel(): ReactElement | null {
  const { files } = useBeside()
  return files.length === 0 ? null : (
    <Suspense>
      <BesidePanel />
    </Suspense>
  )
}

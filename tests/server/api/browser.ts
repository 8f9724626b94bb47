import { createRequire } from 'node:module'
import { Window } from 'happy-dom'
import type { Anything } from './site.ts'

const require = createRequire(import.meta.url)

/** Names a page has that React and the client look for. */
const PAGE_NAMES = [
  'document',
  'navigator',
  'location',
  'XMLHttpRequest',
  'HTMLElement',
  'HTMLIFrameElement',
  'Node',
  'Event',
  'FormData',
  'URLSearchParams',
] as const

/** A page of the site, with React on it, in a browser without a screen. */
export interface Page {
  readonly react: Anything
  /** frappe-react-sdk as it is published. */
  readonly sdk: Anything
  /** Shows a component inside the SDK's provider. */
  show(component: () => unknown): void
  /** Waits until `read` gives something true, at most some seconds. */
  until<T>(read: () => T, what: string): Promise<T>
  close(): Promise<void>
}

/** Opens a page at the address of the site, so that its cookies are sent as a browser does. */
export async function openPage(url: string): Promise<Page> {
  const window = new Window({ url })
  const globals: Anything = globalThis
  globals.window = window
  for (const name of PAGE_NAMES)
    Object.defineProperty(globalThis, name, {
      value: (window as Anything)[name],
      configurable: true,
      writable: true,
    })
  // Loaded once there is a page: both look around while they load.
  const react: Anything = require('react')
  const { createRoot }: Anything = require('react-dom/client')
  const sdk: Anything = require('frappe-react-sdk')
  const place = window.document.createElement('div')
  window.document.body.appendChild(place)
  const root = createRoot(place)
  return {
    react,
    sdk,
    show(component) {
      root.render(
        react.createElement(
          sdk.FrappeProvider,
          { enableSocket: false, swrConfig: { dedupingInterval: 0, errorRetryCount: 0 } },
          react.createElement(component),
        ),
      )
    },
    async until(read, what) {
      for (let round = 0; round < 500; round += 1) {
        const value = read()
        if (value) return value
        await new Promise((resolve) => setTimeout(resolve, 20))
      }
      throw new Error(`waited in vain until ${what}`)
    },
    async close() {
      root.unmount()
      await window.happyDOM.close()
    },
  }
}

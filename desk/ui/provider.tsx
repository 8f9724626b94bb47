import '@mantine/core/styles/baseline.css'
import '@mantine/core/styles/default-css-variables.css'
import '@mantine/core/styles/global.css'
import '@mantine/core/styles/UnstyledButton.css'
import '@mantine/core/styles/Input.css'
import '@mantine/core/styles/InlineInput.css'
import '@mantine/core/styles/Checkbox.css'
import '../style/desk.css'
import { createTheme, MantineProvider } from '@mantine/core'
import type { ReactElement, ReactNode } from 'react'
import type { Scheme } from './theme.ts'

const THEME = createTheme({
  fontFamily: 'var(--font)',
  headings: { fontFamily: 'var(--font)' },
  primaryColor: 'indigo',
  // Lighter shades of it fail the contrast that WCAG 2.2 AA asks for.
  primaryShade: { light: 7, dark: 8 },
  defaultRadius: 'md',
  cursorType: 'pointer',
  respectReducedMotion: true,
})

/** Everything that components of `ui` need around them. */
export function UiProvider({
  scheme,
  children,
}: {
  scheme: Scheme
  children: ReactNode
}): ReactElement {
  return (
    <MantineProvider theme={THEME} forceColorScheme={scheme}>
      {children}
    </MantineProvider>
  )
}

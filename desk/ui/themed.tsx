import '@mantine/core/styles/UnstyledButton.css'
import '@mantine/core/styles/Input.css'
import '@mantine/core/styles/InlineInput.css'
import '@mantine/core/styles/Checkbox.css'
import '../style/fields.css'
import { createTheme, MantineProvider } from '@mantine/core'
import type { ReactElement, ReactNode } from 'react'

const THEME = createTheme({
  fontFamily: 'var(--font)',
  primaryColor: 'indigo',
  // Lighter shades of it fail the contrast that WCAG 2.2 AA asks for.
  primaryShade: { light: 7, dark: 8 },
  defaultRadius: 'md',
  cursorType: 'pointer',
  respectReducedMotion: true,
})

/**
 * What a field of Mantine needs around it. Each has it to itself, so that nothing of Mantine is on a page without fields; its
 * variables stand in `style/fields.css`, and light or dark is said by the page (`theme.ts`).
 */
export function Themed({ children }: { children: ReactNode }): ReactElement {
  return (
    <MantineProvider
      theme={THEME}
      withCssVariables={false}
      withGlobalClasses={false}
      getRootElement={() => undefined}
    >
      {children}
    </MantineProvider>
  )
}

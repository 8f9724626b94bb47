/** How the Desk looks: as the system says, or as somebody chose. */
export type Scheme = 'light' | 'dark'

const KEY = 'desk.scheme'

/** The scheme that holds now. */
export function currentScheme(): Scheme {
  const chosen = localStorage.getItem(KEY)
  if (chosen === 'light' || chosen === 'dark') return chosen
  return matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light'
}

/** Draws the page in the scheme that holds. */
export function applyTheme(scheme: Scheme = currentScheme()): void {
  document.documentElement.dataset.mantineColorScheme = scheme
}

/** Changes from light to dark or back, for good; says what holds now. */
export function toggleScheme(): Scheme {
  const next = currentScheme() === 'dark' ? 'light' : 'dark'
  localStorage.setItem(KEY, next)
  applyTheme(next)
  return next
}

/** Paths of the pages. */
export const PATHS = {
  home: '/',
  app: '/app',
  login: '/login',
  logout: '/logout',
  signUp: '/signup',
  forgotPassword: '/forgot-password',
  resetPassword: '/reset-password',
  changePassword: '/change-password',
  developer: '/settings/developer',
  sessions: '/settings/sessions',
} as const

export const PAGE_PATHS: ReadonlySet<string> = new Set(Object.values(PATHS))

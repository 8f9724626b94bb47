/** Paths of the pages. */
export const PATHS = {
  home: '/',
  app: '/app',
  setup: '/setup',
  login: '/login',
  secondFactor: '/second-factor',
  logout: '/logout',
  signUp: '/signup',
  forgotPassword: '/forgot-password',
  resetPassword: '/reset-password',
  changePassword: '/change-password',
  factors: '/settings/second-factor',
  developer: '/settings/developer',
  sessions: '/settings/sessions',
} as const

export const PAGE_PATHS: ReadonlySet<string> = new Set(Object.values(PATHS))

/** Pages with the one script of ours, which asks a device for a passkey. */
export const SCRIPT_PATHS: ReadonlySet<string> = new Set([PATHS.secondFactor, PATHS.factors])

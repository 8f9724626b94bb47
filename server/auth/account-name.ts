/** The one form of all spellings of a login that lead to the same account. */
export function accountName(login: string): string {
  return login.normalize('NFKC').trim().toLowerCase()
}

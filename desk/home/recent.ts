/** A record somebody has opened in this browser. */
export interface RecentRecord {
  readonly slug: string
  readonly id: string
  readonly title: string
  /** What it is: `Sales invoice`. */
  readonly kind: string
}

const KEY = 'desk.recent'
const MOST = 8

/** The records that were opened last, the latest first. */
export function recentRecords(): readonly RecentRecord[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEY) ?? '[]')
    return Array.isArray(kept) ? (kept as RecentRecord[]) : []
  } catch (_spoiled) {
    return []
  }
}

/** Notes that a record was opened. */
export function noteRecent(record: RecentRecord): void {
  const others = recentRecords().filter(({ slug, id }) => slug !== record.slug || id !== record.id)
  localStorage.setItem(KEY, JSON.stringify([record, ...others].slice(0, MOST)))
}

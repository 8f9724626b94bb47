/** Versions of the tables of a database: one is another whenever a commit may have changed its table. */
export interface TableVersions {
  /** Notes that the transaction writes to a table; undefined where it is not known to which. */
  note(table: string | undefined): void
  /** The transaction is committed: what it wrote to has a new version. */
  committed(): void
  /** The transaction is taken back. */
  forgotten(): void
  of(tables: readonly string[]): string
}

/** Versions of the tables that this process writes to, and nobody else. */
export function tableVersions(): TableVersions {
  const versions = new Map<string, number>()
  const written = new Set<string>()
  let isAnyWritten = false
  let all = 0
  return {
    note(table) {
      if (table === undefined) isAnyWritten = true
      else written.add(table)
    },
    committed() {
      if (isAnyWritten) all += 1
      for (const table of written) versions.set(table, (versions.get(table) ?? 0) + 1)
      this.forgotten()
    },
    forgotten() {
      written.clear()
      isAnyWritten = false
    },
    of: (tables) =>
      tables.reduce((version, table) => `${version}.${versions.get(table) ?? 0}`, `${all}`),
  }
}

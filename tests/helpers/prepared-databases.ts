import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const SUFFIX = '.postgres'

/** Folder of what test files of a run prepare for one another, below the run's temporary folder. */
export function preparedFolder(temporary: string): string {
  const folder = join(temporary, 'prepared')
  mkdirSync(folder, { recursive: true })
  return folder
}

/** Notes a database of PostgreSQL, so that whoever ends the run knows of it. */
export function notePrepared(temporary: string, name: string): void {
  writeFileSync(join(preparedFolder(temporary), name + SUFFIX), '')
}

/** Removes the noted databases from a server that goes on when the run has ended. */
export async function dropPrepared(temporary: string, server: string): Promise<void> {
  const notes = readdirSync(preparedFolder(temporary)).filter((file) => file.endsWith(SUFFIX))
  if (notes.length === 0) return
  const { default: pg } = await import('pg')
  const client = new pg.Client({ connectionString: server })
  await client.connect()
  try {
    for (const note of notes)
      await client.query(`drop database if exists ${note.slice(0, -SUFFIX.length)} with (force)`)
  } finally {
    await client.end()
  }
}

import { randomBytes } from 'node:crypto'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { runSvc } from './server-process.ts'

/** A workspace that is set up, with an admin key and limits that no bench reaches. */
export interface BenchWorkspace {
  readonly folder: string
  readonly databaseFile: string
  readonly key: string
  /** Its first person. */
  readonly person: { readonly user: string; readonly password: string }
  /** Copies it, as long as nothing has it open. */
  copy(name: string): string
}

/** Runs a job in a folder of its own, which is removed afterwards. */
export async function inFolder<T>(job: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'svc-bench-'))
  try {
    return await job(folder)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/**
 * Makes a workspace in `parent` with the program's own commands; on PostgreSQL where a URL of it is given, with the
 * DocTypes of these files besides the shipped ones.
 */
export function createWorkspace(
  parent: string,
  databaseUrl?: string,
  doctypeFiles: readonly string[] = [],
): BenchWorkspace {
  const folder = join(parent, 'workspace')
  mkdirSync(join(folder, 'doctypes'), { recursive: true })
  const plans = readFileSync(new URL('../doctypes/plans.yaml', import.meta.url), 'utf8')
  writeFileSync(
    join(folder, 'doctypes', 'plans.yaml'),
    plans.replace(/(requests_per_minute: )\d+/g, '$11000000000'),
  )
  for (const file of doctypeFiles) cpSync(file, join(folder, 'doctypes', basename(file)))
  const place = databaseUrl === undefined ? [] : ['--database', databaseUrl]
  // There it is not made by itself, because each process needs the same.
  if (databaseUrl !== undefined)
    writeFileSync(join(folder, 'secret.key'), randomBytes(32).toString('base64'), { mode: 0o600 })
  const answer = runSvc(['setup', '--data', folder, '--tier', 'business', '--json', ...place])
  const { admin_key: key, ...person } = JSON.parse(answer) as {
    admin_key: string
    user: string
    password: string
  }
  return {
    folder,
    databaseFile: join(folder, 'workspace.db'),
    key,
    person,
    copy(name) {
      const target = join(parent, name)
      cpSync(folder, target, { recursive: true })
      return target
    },
  }
}

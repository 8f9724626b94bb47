import { join } from 'node:path'
import { type DatabaseOptions, type Engine, openEngine } from '../../engine/index.ts'
import { hooks } from '../../hooks/index.ts'
import { type Folder, temporaryFolder } from './process.ts'

const DOCTYPES = join(import.meta.dirname, '../../doctypes')

/** Data folders of the demo's tests, and a look into the workspaces in them. */
export interface DemoFolders extends Folder {
  dataOf(name: string): string
  sqliteOf(name: string): DatabaseOptions
  /** The workspace in a data folder; the caller closes it. */
  open(name: string): Promise<Engine>
  /** Runs a job on the workspace in a data folder. */
  inside<T>(name: string, job: (engine: Engine) => Promise<T>): Promise<T>
}

export function demoFolders(): DemoFolders {
  const folder = temporaryFolder()
  const dataOf = (name: string): string => join(folder.path, name)
  const sqliteOf = (name: string): DatabaseOptions => ({
    kind: 'sqlite',
    file: join(dataOf(name), 'workspace.db'),
  })
  const open = (name: string): Promise<Engine> =>
    openEngine({
      hooks,
      database: sqliteOf(name),
      doctypes: [DOCTYPES],
      cacheFolder: join(dataOf(name), 'cache'),
      secretKey: Buffer.alloc(32, 7),
    })
  return {
    ...folder,
    dataOf,
    sqliteOf,
    open,
    async inside(name, job) {
      const engine = await open(name)
      try {
        return await job(engine)
      } finally {
        await engine.close()
      }
    },
  }
}

/** Columns of all records of a DocType, oldest first. */
export async function rowsOf(
  { services }: Engine,
  doctype: string,
): Promise<readonly Record<string, unknown>[]> {
  const { table } = services.registry.byDoctype(doctype)!
  return services.database.read.selectFrom(table).selectAll().orderBy('rid').execute()
}

/** Each company, and whether it is the default one. */
export async function companiesOf(engine: Engine): Promise<readonly unknown[]> {
  const companies = await rowsOf(engine, 'Company')
  return companies.map(({ name, is_default }) => [name, Boolean(is_default)])
}

import { Failure } from '../cli/failure.ts'
import { masterDoctypes } from '../cli/setup/masters.ts'
import type { Workspace } from '../cli/workspace.ts'
import type { Engine } from '../engine/index.ts'
import { readSetting, writeSetting } from '../engine/storage/workspace/settings.ts'
import { countRecords } from './counts.ts'

/** Setting of a workspace that has the demo's records: JSON of a Mark. */
const SETTING = 'demo'

interface Mark {
  readonly seed: number
  readonly to: string
  readonly isDone: boolean
}

/** Resources that hold the company and the people of a workspace: they are there before anybody works in it. */
const SETUP_MODULE = 'setup'

/** Whether the demo's records are there. Throws Failure where only a part of them is. */
export async function isFilled({ services }: Engine): Promise<boolean> {
  const kept = await readSetting(services.database.read, SETTING)
  if (kept === undefined) return false
  const { isDone } = JSON.parse(kept) as Mark
  if (isDone) return true
  throw new Failure(
    'an earlier `svc demo` of this workspace was interrupted, and half a history cannot be gone on with: begin with an empty data folder or database',
  )
}

/** Writes down that the demo has begun, or is done: half a history cannot be gone on with. */
export async function mark({ services }: Engine, value: Mark): Promise<void> {
  await services.database.write((tx) => writeSetting(tx, SETTING, JSON.stringify(value)))
}

/** True for a workspace with records of its own, when that is wanted. Throws Failure when it is not. */
export async function refuseUsed(
  engine: Engine,
  { doctypes }: Workspace,
  force: boolean,
): Promise<boolean> {
  const counts = await countRecords(engine)
  const masters = new Set(masterDoctypes(doctypes))
  const used = engine.services.registry.all.filter(
    ({ doctype, module, slug }) =>
      module !== SETUP_MODULE && !masters.has(doctype) && (counts.get(slug) ?? 0) > 0,
  )
  if (used.length === 0) return false
  if (force) return true
  const found = used.map(({ slug }) => `${counts.get(slug)} ${slug}`).join(', ')
  throw new Failure(
    `this workspace has records of its own (${found}); --force adds a second company with a year of invented documents beside them, which cannot be taken back`,
  )
}

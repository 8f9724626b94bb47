import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { firstRunFile } from '../../cli/data-folder.ts'
import { SHIPPED_DOCTYPES } from '../../cli/package.ts'
import { secretKey } from '../../cli/secret-key.ts'
import { setUp, TEST_COMPANY } from '../../cli/setup/set-up.ts'
import { type Engine, openDatabase } from '../../engine/index.ts'
import {
  readSetting,
  removeSetting,
  writeSetting,
} from '../../engine/storage/workspace/settings.ts'
import { generatePassword } from '../../server/auth/passwords.ts'
import type { TestDatabase } from './databases.ts'
import { type Furniture, prepareData } from './prepared.ts'

/** Where a prepared workspace keeps what stands in `first-run.json` until it is copied. */
const RESULT = 'test.first-run'

/** A workspace after its first start. */
const STARTED: Furniture = {
  name: 'the first start',
  async put(engine: Engine) {
    const result = await setUp(engine, [SHIPPED_DOCTYPES], {
      ...TEST_COMPANY,
      user: 'Administrator',
      email: null,
      password: generatePassword(),
      tier: null,
      env: 'live',
    })
    await engine.services.database.write((tx) => writeSetting(tx, RESULT, JSON.stringify(result)))
  },
}

/**
 * Puts into a data folder what the first start of `svc serve` makes: `prepareData`, and the masters, the company, the
 * first person, the first key, the secret key and `first-run.json`. For what begins after that start.
 */
export async function prepareStarted(
  data: string,
  place: TestDatabase = { kind: 'sqlite', file: join(data, 'workspace.db') },
): Promise<void> {
  await prepareData(data, place, STARTED)
  const database = await openDatabase(place)
  const result = await readSetting(database.read, RESULT)
  await database.write((tx) => removeSetting(tx, RESULT))
  await database.close()
  if (place.kind === 'sqlite') secretKey({ configured: undefined, dataFolder: data, shared: false })
  writeFileSync(firstRunFile(data), `${result}\n`, { mode: 0o600 })
}

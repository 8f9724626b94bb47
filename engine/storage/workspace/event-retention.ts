import type { Db } from '../database/database.ts'
import { readSetting, writeSetting } from './settings.ts'

const KEY = 'event-retention-days'

/** Days for which this workspace keeps its events, as was said at its setup; 0 keeps all. */
export async function chosenRetention(db: Db): Promise<number> {
  return Number((await readSetting(db, KEY)) ?? 0)
}

/** Keeps the choice. */
export function chooseRetention(tx: Db, days: number): Promise<void> {
  return writeSetting(tx, KEY, String(days))
}

import { sql } from 'kysely'
import { idsFrom } from '../../base/ids.ts'
import { settledUpTo } from '../database/commit-order.ts'
import type { Database, Db } from '../database/database.ts'
import { type Dictionary, dictionaryOf, packed, unpacked } from './packed-text.ts'
import { readSetting, writeSetting } from './settings.ts'

/** Dictionaries of packed events: a `number`, the `resource` whose events it is for, and a `text`, the event it was. */
const DICTIONARIES = 'svc_event_dictionaries'
const EVENTS = 'svc_events'
/** Setting that tells up to which place events are packed. */
const KEY = 'events-packed'

/** Lines of one page: others wait no longer for it than for a request. */
const PAGE = 50
/** Characters from which on a text is worth packing, and those of a dictionary that are used. */
const WORTH = 200
const MOST = 32_768
/** A dictionary by which a text becomes no shorter than this share is of records that look otherwise by now. */
const FITS = 1 / 3

/** Texts of events as they were, from whatever form they are stored in. */
export interface EventTexts {
  unpacked<Line extends { readonly data: string }>(db: Db, lines: readonly Line[]): Promise<Line[]>
}

/** Opens the texts of one workspace; its dictionaries are few and never change, so those that were used are kept. */
export function eventTexts(): EventTexts {
  const known = new Map<number, Dictionary>()
  return {
    async unpacked(db, lines) {
      const numbers = new Set(lines.map(({ data }) => dictionaryOf(data)))
      for (const number of numbers)
        if (number !== undefined && !known.has(number))
          known.set(number, await findDictionary(db, number))
      return lines.map((line) => {
        const number = dictionaryOf(line.data)
        return number === undefined
          ? line
          : { ...line, data: unpacked(line.data, known.get(number)!) }
      })
    },
  }
}

/** Packer of old events, for one run. */
export interface EventPacker {
  /** Packs a page of those written before a moment (ISO); returns how many lines it has looked at. */
  packSome(before: string): Promise<number>
}

/** Makes a packer. It chooses one dictionary for each resource, or makes it of the first event that none fits. */
export function eventPacker(database: Database): EventPacker {
  const chosen = new Map<string, Dictionary>()
  async function dictionaryFor(resource: string, text: string): Promise<Dictionary> {
    const known = chosen.get(resource) ?? (await newestDictionary(database.read, resource))
    const fits = known && (chosen.has(resource) || packed(text, known).length < text.length * FITS)
    const dictionary = fits
      ? known
      : await database.write((tx) => addDictionary(tx, resource, text.slice(0, MOST)))
    chosen.set(resource, dictionary)
    return dictionary
  }
  return {
    async packSome(before) {
      const lines = await unpackedLines(database, before)
      const last = lines.at(-1)
      if (!last) return 0
      const changed: { readonly seq: bigint; readonly data: string }[] = []
      for (const { seq, resource, data } of lines) {
        if (data.length < WORTH || dictionaryOf(data) !== undefined) continue
        const text = packed(data, await dictionaryFor(resource, data))
        if (text !== data) changed.push({ seq, data: text })
      }
      await database.write(async (tx) => {
        for (const { seq, data } of changed)
          await tx.updateTable(EVENTS).set({ data }).where('seq', '=', seq).execute()
        await writeSetting(tx, KEY, String(last.seq))
      })
      return lines.length
    },
  }
}

interface Line {
  readonly seq: bigint
  readonly resource: string
  readonly data: string
}

/** The oldest lines before a moment that no packer has looked at. */
async function unpackedLines({ read, kind }: Database, before: string): Promise<readonly Line[]> {
  const settled = await settledUpTo(read, kind, EVENTS)
  const last = (await readSetting(read, KEY)) ?? '0'
  const first = await read
    .selectFrom(EVENTS)
    .select('seq')
    .where('id', '>=', idsFrom('evt', Date.parse(before)))
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
  let query = read
    .selectFrom(EVENTS)
    .select(['seq', 'resource', 'data'])
    .where('seq', '>', BigInt(last))
    .orderBy('seq')
    .limit(sql.lit(PAGE))
  if (first) query = query.where('seq', '<', first.seq as bigint)
  if (settled !== undefined) query = query.where('seq', '<=', settled)
  const rows = await query.execute()
  return rows.map(({ seq, resource, data }) => ({
    seq: BigInt(seq as bigint),
    resource: String(resource),
    data: String(data),
  }))
}

async function findDictionary(db: Db, number: number): Promise<Dictionary> {
  const row = await db
    .selectFrom(DICTIONARIES)
    .select('text')
    .where('number', '=', number)
    .executeTakeFirst()
  if (!row) throw new Error(`the dictionary ${number} of packed events is gone: restore a backup`)
  return { number, bytes: Buffer.from(String(row.text)) }
}

async function newestDictionary(db: Db, resource: string): Promise<Dictionary | undefined> {
  const row = await db
    .selectFrom(DICTIONARIES)
    .select(['number', 'text'])
    .where('resource', '=', resource)
    .orderBy('number', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row && { number: Number(row.number), bytes: Buffer.from(String(row.text)) }
}

async function addDictionary(tx: Db, resource: string, text: string): Promise<Dictionary> {
  const row = await tx
    .insertInto(DICTIONARIES)
    .values({ resource, text })
    .returning('number')
    .executeTakeFirstOrThrow()
  return { number: Number(row.number), bytes: Buffer.from(text) }
}

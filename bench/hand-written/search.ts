import type { Database, Statement } from './database.ts'
import type { ItemRow } from './item.ts'

/** Condition on `rid` of items that `q` finds. */
export interface Found {
  readonly sql: string
  readonly values: readonly string[]
}

export interface Search {
  insert(item: ItemRow): void
  update(before: ItemRow, after: ItemRow): void
  condition(q: string): Found
  count(q: string): number
}

/** Room for the rids of one DocType in the workspace's search table. */
export const RIDS = 2 ** 36

/** The trigram index of item names, codes and descriptions. */
export function searchIndex(database: Database): Search {
  const row = database
    .prepare<[], { number: number }>(
      `select number from svc_doctype_numbers where doctype = 'Item'`,
    )
    .get()
  if (!row) throw new Error('expected a workspace with items')
  const base = row.number * RIDS
  const insert = database.prepare('insert into svc_search (rowid, body) values (?, ?)')
  const update = database.prepare('update svc_search set body = ? where rowid = ?')
  const statements = new Map<string, Statement>()

  function hits(q: string): Found {
    const terms = fold(q).split(/\s+/u).filter(Boolean)
    const long = terms.filter((term) => term.length >= 3)
    const short = terms.filter((term) => term.length < 3)
    const conditions = [`rowid between ${base} and ${base + RIDS - 1}`]
    if (long.length > 0) conditions.unshift('svc_search match ?')
    conditions.push(...short.map(() => 'instr(body, ?) > 0'))
    const match = long.map((term) => `"${term.replaceAll('"', '""')}"`).join(' ')
    return {
      sql: conditions.join(' and '),
      values: [...(match === '' ? [] : [match]), ...short],
    }
  }

  return {
    insert: (item) => void insert.run(BigInt(base + item.rid), textOf(item)),
    update(before, after) {
      const text = textOf(after)
      if (text !== textOf(before)) update.run(text, BigInt(base + after.rid))
    },
    condition(q) {
      const { sql, values } = hits(q)
      return { sql: `rid in (select rowid - ${base} from svc_search where ${sql})`, values }
    },
    count(q) {
      const { sql, values } = hits(q)
      let statement = statements.get(sql)
      if (!statement) {
        statement = database.prepare(`select count(*) as n from svc_search where ${sql}`)
        statements.set(sql, statement)
      }
      return (statement.get(...values) as { n: number }).n
    },
  }
}

function textOf({ item_name, item_code, description }: ItemRow): string {
  return fold([item_name, item_code, description].filter((text) => text !== null).join('\n'))
}

function fold(text: string): string {
  return text.normalize('NFC').toLowerCase()
}

import type { ColumnValue, Value } from '../../fields/field-type.ts'
import type { Db } from '../../storage/database/database.ts'
import { keepRead } from '../../storage/database/seen-rows.ts'
import { runSql, runSqlOnce } from '../../storage/database/statements.ts'
import { usualOf } from '../../storage/database/usual-reads.ts'
import type { MissingReads } from './missing-reads.ts'

/** What queries over records of a DocType gave to rules, until such records are written. */
export interface ReadValues {
  /** The column `value` of the first row; unset where there is none, and where it is asked for as missing. */
  get(
    doctype: string,
    text: string,
    parameters: readonly unknown[],
    decode: (column: ColumnValue) => Value,
  ): Value
  /** Records of the DocType were written: what queries over them gave is asked for anew. */
  forget(doctype: string): void
  /** The same of all DocTypes, since others may have written them; false when there was nothing to forget. */
  forgetAll(): boolean
}

interface ValueRow {
  readonly value: ColumnValue
}

/** Where the database is in this process nothing is missing. */
export function createReadValues(
  tx: Db,
  tableOf: (doctype: string) => string,
  missing: MissingReads,
): ReadValues {
  const values = new Map<string, Map<string, Value>>()

  function valuesOf(doctype: string): Map<string, Value> {
    let known = values.get(doctype)
    if (!known) {
      known = new Map()
      values.set(doctype, known)
    }
    return known
  }

  return {
    get(doctype, text, parameters, decode) {
      const key = `${text}\0${parameters.join('\0')}`
      const read = valuesOf(doctype)
      const known = read.get(key)
      if (known !== undefined) return known
      const firstValue = (rows: readonly ValueRow[]): Value => {
        const column = rows[0]?.value ?? null
        const value = column === null ? null : decode(column)
        read.set(key, value)
        return value
      }
      const now = runSqlOnce<ValueRow>(tx, tableOf(doctype), key, text, parameters)
      if (now) return firstValue(now)
      const table = tableOf(doctype)
      const readKept = async (on: Db): Promise<readonly ValueRow[]> => {
        const rows = await runSql<ValueRow>(on, text, parameters)
        keepRead(on, table, key, rows)
        return rows
      }
      missing.ask(key, async () => {
        if (parameters.length === 0) usualOf(tx)?.noteQuery(text, readKept)
        firstValue(await readKept(tx))
      })
      return null
    },
    forget: (doctype) => void values.delete(doctype),
    forgetAll() {
      const hasRead = values.size > 0
      values.clear()
      return hasRead
    },
  }
}

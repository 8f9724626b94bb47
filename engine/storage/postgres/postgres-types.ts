import pg from 'pg'

/** int8 arrives as text by default; amounts need it exact. */
const INT8_OID = 20

/** Parsers of the values that PostgreSQL sends. */
export const POSTGRES_TYPES: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
    oid === INT8_OID
      ? (text: string) => BigInt(text)
      : pg.types.getTypeParser(oid, format)) as typeof pg.types.getTypeParser,
}

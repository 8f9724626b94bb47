declare module 'pg/lib/utils.js' {
  /** A value as the server reads it: null, text, or bytes. */
  export function prepareValue(value: unknown): string | Buffer | null
}

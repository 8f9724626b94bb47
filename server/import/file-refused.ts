/** A file that cannot be taken as it is, in one sentence: its headings name nothing, it is no UTF-8, nothing finds its records. */
export class FileRefused extends Error {
  /** What was asked for wrongly, where it is not the file that is wrong. */
  readonly option: 'key' | 'upsert' | undefined

  constructor(
    message: string,
    options: ErrorOptions & { readonly option?: 'key' | 'upsert' } = {},
  ) {
    super(message, options)
    this.option = options.option
  }
}

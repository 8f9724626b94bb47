/** Properties of the fields that every DocType or ledger has by itself: the workspace sets them. */
export const ENGINE_FIELD = {
  required: false,
  unique: false,
  filterable: false,
  createOnly: false,
  readOnly: true,
  hidden: false,
  internal: false,
  allowOnSubmit: false,
  noCopy: true,
} as const

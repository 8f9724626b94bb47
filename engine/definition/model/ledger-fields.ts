import type { Field } from '../../fields/field.ts'
import { ENGINE_FIELD } from './engine-field.ts'

/** Names of the fields every ledger has without declaring them. */
export const VOUCHER_TYPE = 'voucher_type'
export const VOUCHER_NO = 'voucher_no'
export const REVERSES = 'reverses'
/** The field of a ledger that looks back which names the row that a difference row brings right. */
export const ADJUSTS = 'adjusts'

/**
 * The fields that tie the rows of a ledger to the document that posted them. `reverses` is unique, so that
 * the database itself refuses to take a row back twice (rules.md §4.2, Cancel).
 */
export function ledgerFields(doctype: string, looksBack: boolean): readonly Field[] {
  return [
    ...(looksBack ? [adjustsField(doctype)] : []),
    {
      ...ENGINE_FIELD,
      name: VOUCHER_TYPE,
      type: 'data',
      label: 'Voucher Type',
      description: 'DocType of the document that posted the row',
    },
    {
      ...ENGINE_FIELD,
      name: VOUCHER_NO,
      type: 'dynamic_link',
      label: 'Voucher',
      linkFrom: VOUCHER_TYPE,
      filterable: true,
      description: 'The document that posted the row',
    },
    {
      ...ENGINE_FIELD,
      name: REVERSES,
      type: 'link',
      label: 'Reverses',
      link: doctype,
      unique: true,
      description: 'The row of a cancelled document that this one takes back',
    },
  ]
}

function adjustsField(doctype: string): Field {
  return {
    ...ENGINE_FIELD,
    name: ADJUSTS,
    type: 'link',
    label: 'Adjusts',
    link: doctype,
    description:
      'The row whose value this one brings right, since an earlier one was added or taken back',
  }
}

import type { RecordData } from '../data/types.ts'

/** A line of a bank statement (`serves: bank_lines`). */
export interface BankLine extends RecordData {
  readonly bank_account: string
  readonly date: string
  /** Above 0 for money that came in. */
  readonly amount: number
  readonly unallocated_amount: number
  readonly currency?: string | null
  readonly description: string | null
  readonly reference_number: string | null
  readonly bank_party_name?: string | null
  readonly suggested_payment: string | null
}

/** Something a line may stand for. */
export interface Suggestion {
  readonly key: string
  readonly title: string
  readonly hint: string
  /** Action of the line that takes it, and what that is told. */
  readonly action: string
  readonly input: Readonly<Record<string, unknown>>
  /** Whether that books a voucher, and not only names one. */
  readonly books?: boolean
  /** Where the record is seen. */
  readonly href?: string
}
